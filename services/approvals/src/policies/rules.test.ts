import { factsOf, rulesOf } from './rules.js';
import { toPathPrefixes } from './storage-paths.js';
import { callOf } from './testing/policies.js';
import { isTrue, reasons } from './testing/reasons.js';

describe('amountThresholds', () => {
  it('takes any of several', () => {
    const amountThresholds = [
      { path: 'a', gt: 10 },
      { path: 'b', gt: -1 },
    ];
    expect(reasons({ amountThresholds }, { a: 1, b: 0 })).toEqual(['amountThresholds: b is above -1']);
  });
});

const ANN = 'ann@acme.com';

describe('recipients', () => {
  it.each<[string[], object, { allow: boolean; deny: boolean }]>([
    [[ANN], { to: ANN }, { allow: false, deny: true }],
    [[ANN], { to: 'Ann@ACME.com' }, { allow: false, deny: true }],
    [['ANN@acme.com.'], { to: ANN }, { allow: false, deny: true }],
    [[ANN], { to: 'bob@acme.com' }, { allow: true, deny: false }],
    [['@acme.com'], { to: ['bob@acme.com', { email: ANN }] }, { allow: false, deny: true }],
    [['@acme.com'], { to: 'ann@mail.acme.com' }, { allow: true, deny: false }],
    [['@acme.com'], { to: 'ann@acme.com.evil.org' }, { allow: true, deny: false }],
    [['@acme.com'], { to: `Ann <${ANN}>, Eve <eve@evil.org>` }, { allow: true, deny: true }],
    [[ANN], { to: `${ANN} eve@evil.org` }, { allow: true, deny: true }],
    [[ANN], { to: `${ANN};` }, { allow: false, deny: true }],
    [[ANN], { to: `"${ANN}" <eve@evil.org>` }, { allow: true, deny: false }],
    [[ANN], { to: `<eve@evil.org> <${ANN}>` }, { allow: true, deny: true }],
    [[ANN], { to: `${ANN} <>` }, { allow: false, deny: true }],
    [['@acme.com'], { to: 'eve@evil.org <>' }, { allow: true, deny: false }],
    [['@acme.com'], { to: `eve@evil.org <${ANN}` }, { allow: true, deny: true }],
    [['@bücher.example'], { to: 'ann@xn--bcher-kva.example' }, { allow: false, deny: true }],
    [['C024'], { to: 'C024' }, { allow: false, deny: true }],
    [['C024'], { to: 'c024' }, { allow: true, deny: true }],
    [['7'], { to: [7] }, { allow: false, deny: true }],
    [[ANN], { cc: [ANN, 'eve@evil.org'] }, { allow: true, deny: true }],
    [[ANN], { from: 'eve@evil.org', to: '', cc: null }, { allow: false, deny: false }],
  ])('%j and %j: outside %j', (list, input, { allow, deny }) => {
    expect(isTrue({ recipientAllowlist: list }, input)).toBe(allow);
    expect(isTrue({ recipientDenylist: list }, input)).toBe(deny);
  });

  it('are reported by their place, never by their value', () => {
    expect(reasons({ recipientAllowlist: ['x'], recipientDenylist: [ANN] }, { to: ['x', ANN] })).toEqual([
      'recipientAllowlist: to[1] contains a recipient that is not on the list',
      'recipientDenylist: to[1] contains a recipient on the list',
    ]);
  });
});

describe('what one tenant sends keeps no other waiting:', () => {
  const list = (text: string): string[] => Array.from({ length: 100 }, (_, n) => `${text}${n}`);
  const policies = Array.from({ length: 500 }, (_, n) => ({
    amountThresholds: list(`a.b${n}x`).map((path) => ({ path, gt: 1 })),
    recipientAllowlist: ['@acme.com'],
    recipientDenylist: list(`eve${n}@evil`),
    domainAllowlist: ['acme.com'],
    domainDenylist: list(`evil${n}.`).map((host) => `${host}.org`),
    storagePathPrefixes: list(`prod${n}/`),
  }));

  it.each([
    ['numbers', { a: Array.from({ length: 50_000 }, (_, n) => ({ b: n })) }],
    ['recipients', { to: Array.from({ length: 900 }, (_, n) => `p${n}@acme.com`) }],
    ['hosts', { text: Array.from({ length: 900 }, (_, n) => `https://h${n}.acme.com`) }],
    ['texts', { text: Array.from({ length: 100_000 }, (_, n) => `k/${n}`) }],
  ])('500 policies read many %s once', (_what, input) => {
    const rules = policies.flatMap((policy) => rulesOf(policy));
    const prefixes = toPathPrefixes(policies.flatMap(({ storagePathPrefixes }) => storagePathPrefixes));
    const facts = factsOf(callOf({ input: input as never }), prefixes);
    for (const rule of rules) expect(rule(facts)).toBeUndefined();
  });

  it.each(['https://h$.acme.com/', 'ann@h$.acme.com '])('more hosts than are looked at are a reason, as %s', (text) => {
    const input = { text: Array.from({ length: 1_001 }, (_, n) => text.replace('$', String(n))).join('') };
    const found = reasons({ domainAllowlist: ['acme.com'], domainDenylist: ['evil.org'] }, input);
    expect(found.map((reason) => reason.split(': ')[1])).toEqual(Array(2).fill('there are too many hosts to evaluate'));
    expect(isTrue({ domainDenylist: ['evil.org'] }, { text: text.repeat(100_000) })).toBe(false);
  });

  it.each([
    [1_001, ','],
    [1_001, '?cc='],
    [501, '",'],
  ])('so are more recipients, %d with %j between them', (count, between) => {
    const input = { to: Array.from({ length: count }, (_, n) => `${n}${ANN}`).join(between) };
    const found = reasons({ recipientAllowlist: ['@acme.com'], recipientDenylist: ['@evil.org'] }, input);
    expect(found.map((reason) => reason.split(': ')[1])).toEqual(
      Array(2).fill('there are too many recipients to evaluate'),
    );
  });
});
