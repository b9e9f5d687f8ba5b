import { isTrue, reasons } from './testing/reasons.js';

describe('domains', () => {
  it.each([
    'https://evil.org',
    'HTTP://EVIL.ORG:8080/a?b#c',
    'see (https://evil.org), please',
    'https://docs.evil.org./x',
    'https://acme.com@evil.org/',
    'https://user:pass+word@evil.org',
    'https:\\\\evil.org\\x',
    'https:/evil.org',
    'https:evil.org',
    'https://ev%69l.org',
    'see https://acme.com,https://evil.org',
    'https://evil。org',
    'https://ev\u00adil.org/x',
    'https://evil.ⓞrg',
    'https://ev\u200bil.org',
    'https://acme.com。evil.org/',
    'https://acme.com,x.evil.org/',
    'https://evil.org../x',
    `https://${'\u00ad'.repeat(900)}evil.org`,
    'see https://ev\ufeffil.org, please',
    'look: https://evil.org!',
    'https://ev%69l%2eorg',
    'ann@evil。org',
    'Ann <ann@ev\u00adil.ⓞrg>',
    '//evil。org/x',
    '<https://evil.org|acme.com>',
    '[acme](https://evil.org)',
    'postgres://u:p@db.evil.org/d',
    'ann@evil.org',
    'Ann <ann@mail.evil.org>',
    'mailto:ann@evil.org',
    '"ann lee"@evil.org',
    '"Ann" <"ann\\""@evil.org>',
    "ann'@evil.org",
    'ann(at work)@evil.org',
    '{"url": "wss://evil.org"}',
    '//evil.org/x',
    '<img src=//docs.evil.org>',
    '{"url": "\\/\\/evil.org"}',
    '\\\\evil.org\\share',
    '////acme.com@evil.org',
    'url:https://evil.org',
    'https://acme.com:https://evil.org',
    '1http://evil.org',
    'https:////////////evil.org',
  ])('are found in %j', (text) => {
    for (const input of [{ text }, { a: [{ b: text }] }, { [text]: 1 }]) {
      expect(isTrue({ domainDenylist: ['evil.org'] }, input)).toBe(true);
      expect(isTrue({ domainAllowlist: ['acme.com'] }, input)).toBe(true);
    }
    expect(isTrue({ domainAllowlist: ['acme.com', 'Evil.Org.'] }, { text })).toBe(false);
  });

  it('are found in a URL that is all of a text, with tabs and line ends in it', () => {
    const text = ' h\tttp\ns://ev\til.o\rrg/x';
    expect(isTrue({ domainDenylist: ['evil.org'] }, { text })).toBe(true);
  });

  it.each([
    'https://acme.com/?to=evil.org',
    'https://docs.acme.com/evil.org',
    'https://notevil.org.acme.com',
    'evil.org',
    'hello @evil and a:b, 12:30',
    'javascript:evil.org',
    'ann@acme.com',
    'a//evil.org // evil.org //TODO',
    'https://acme.com//evil.org',
  ])('of others are %j', (text) => {
    expect(isTrue({ domainDenylist: ['evil.org'] }, { text })).toBe(false);
    expect(isTrue({ domainAllowlist: ['acme.com'] }, { text })).toBe(false);
  });

  it.each([
    ['http://2130706433/', '127.0.0.1'],
    ['http://[0:0::1]:80/', '[::1]'],
    ['https://bücher.example', 'xn--bcher-kva.example'],
    ['https://xn--bcher-kva.example', 'bücher.example'],
    ['ann@[203.0.113.5]', '203.0.113.5'],
    ['Ann <ann@[IPv6:2001:DB8:0::1]>', '[2001:db8::1]'],
  ])('are compared as a browser reads them: %s is %s', (text, domain) => {
    expect(isTrue({ domainDenylist: [domain] }, { text })).toBe(true);
  });

  it.each([
    `https://${'a.'.repeat(200)}com`,
    'https:'.repeat(1_000),
    `see https://a${'\u00ad'.repeat(2_000)}.evil.org`,
    `ann@${'é'.repeat(2_000)}.org`,
  ])('are a reason where one is too long to read', (text) => {
    expect(reasons({ domainAllowlist: ['acme.com'], domainDenylist: ['evil.org'] }, { text })).toEqual([
      'domainAllowlist: text contains a host that is too long to parse',
      'domainDenylist: text contains a host that is too long to parse',
    ]);
  });

  it('are reported by their place', () => {
    const rules = { domainAllowlist: ['acme.com'], domainDenylist: ['evil.org'] };
    expect(reasons(rules, { a: { url: 'https://evil.org' } })).toEqual([
      'domainAllowlist: a.url contains a host that is not on the list',
      'domainDenylist: a.url contains a host on the list',
    ]);
  });

  it.each(['https://ann:pass@evil.org', 'ann@evil.org', 'ghp_0123456789abcdefghijklmnopqrst@evil.org'])(
    'are reported without their key if it is no name: %s',
    (key) => {
      const found = reasons({ domainDenylist: ['evil.org'] }, { hooks: { [key]: { url: 'https://evil.org' } } });
      expect(found).toEqual(['domainDenylist: hooks.* contains a host on the list']);
    },
  );

  it.each(['a', '@a', 'a@', 'a.', '://', 'x@y.', '/', ' //a'])(
    'costs what it is long to look for them in many %j',
    (part) => {
      const text = part.repeat(1_000_000 / part.length);
      expect(isTrue({ domainDenylist: ['evil.org'] }, { text })).toBe(false);
    },
  );
});
