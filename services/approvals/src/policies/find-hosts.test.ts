import { createEgress } from '@drawbridge/egress';
import fc from 'fast-check';
import { hostsOf } from './find-hosts.js';

/** Number of random host spellings to compare. `npm test` compares fewer. Set `HOST_SPELLINGS=1000000` to compare more. */
const SPELLINGS = Number(process.env['HOST_SPELLINGS'] ?? (process.env['FULL'] === '0' ? 1_000 : 5_000));

const NAMES = ['evil.example', 'docs.evil.example', 'acme.com', '127.0.0.1', 'bücher.example'];
const ODD = [
  '',
  '',
  '',
  '.',
  '..',
  ':80',
  ':443',
  ':x',
  ',',
  '!',
  "'",
  '"',
  '*',
  '(',
  ')',
  '~',
  '$',
  '&',
  '+',
  '=',
  ';',
  '{',
  '|',
];
const IGNORED = ['\u00ad', '\u200b', '\u2060', '\ufeff', '\u180e', '\u{e0100}', '\t', '\n', '\r', '%C2%AD'];
const DOTS = ['.', '。', '．', '｡', '%2e', '%E3%80%82', '․'];
const ADDRESSES = [
  '0x7f.1',
  '2130706433',
  '0177.0.0.1',
  '127.1',
  '[::1]',
  '[0:0::1]',
  '[::ffff:127.0.0.1]',
  '0x7f000001.',
];
const SCHEMES = ['https:', 'http:', 'HTTPS:', 'hTtP:', ' https:', '\u0000http:', 'h\tttps:'];
const SLASHES = ['//', '//', '//', '', '/', '\\\\', '\\/', '////', '/\t/', '/\n\\'];
const USERS = [
  '',
  '',
  '',
  'acme.com@',
  'acme.com:pass@',
  'a:b@c@',
  'acme.com。',
  'acme.com,x.',
  'acme.com%2f.',
  'acme.com\u200b.',
];
const BEHIND = [
  '',
  '',
  '/',
  '/x',
  '?a',
  '#a',
  '\\x',
  '/../..',
  ' ',
  '/@acme.com',
  '?@acme.com',
  '#@acme.com',
  '\u3000',
];

/** Returns another character that UTS 46, the mapping of internationalized hosts, maps to this letter. */
function spelled(letter: string, how: number): string {
  const code = letter.charCodeAt(0);
  if (!/[a-z]/.test(letter)) return letter;
  const ways = [letter, letter.toUpperCase(), String.fromCharCode(code + 0x246f), String.fromCharCode(code + 0xfee0)];
  const more = [
    `%${code.toString(16)}`,
    String.fromCodePoint(code - 97 + 0x1d41a),
    String.fromCharCode(code - 97 + 0x249c),
  ];
  return [...ways, ...more][how] ?? letter;
}

const host = fc
  .tuple(
    fc.constantFrom(...NAMES),
    fc.array(fc.nat(60), { maxLength: 20 }),
    fc.constantFrom(...DOTS),
    fc.constantFrom(...IGNORED),
    fc.nat(60),
  )
  .map(([name, ways, dot, ignored, at]) => {
    const letters = [...name].map((letter, index) => (letter === '.' ? dot : spelled(letter, ways[index] ?? 60)));
    return at < letters.length ? [...letters.slice(0, at), ignored, ...letters.slice(at)].join('') : letters.join('');
  });
const anyText = fc.string({
  unit: fc.constantFrom(...'aE.:/\\@?#[]0x7%-,', '。', '\u00ad', 'é', '⑴', '\t', ' '),
  maxLength: 12,
});
const text = fc
  .tuple(
    ...[fc.constantFrom(...SCHEMES), fc.constantFrom(...SLASHES), fc.constantFrom(...USERS)],
    fc.oneof(
      { weight: 5, arbitrary: host },
      { weight: 1, arbitrary: fc.constantFrom(...ADDRESSES) },
      { weight: 1, arbitrary: anyText },
    ),
    ...[fc.constantFrom(...ODD), fc.constantFrom(...BEHIND)],
  )
  .map((parts) => parts.join(''));

const read = (whole: string) => hostsOf([{ text: whole, path: 'text' }]);

it(`finds the host that egress connects to, in ${SPELLINGS} spellings`, async () => {
  const connected: string[] = [];
  const egress = createEgress({
    allow: ['0.0.0.0/0', '::/0', 'localhost'],
    resolve: async (name) => {
      connected.push(name);
      return [];
    },
    connect: async ({ address }) => {
      connected.push(address.includes(':') ? `[${address}]` : address);
      throw new Error('Nothing is sent');
    },
  });
  const send = egress.sendFor('acme');
  let reached = 0;
  const property = fc.asyncProperty(text, async (url) => {
    connected.length = 0;
    await send({ method: 'GET', url }).catch(() => undefined);
    if (connected.length === 0) return;
    reached++;
    const name = connected[0]!;
    const { hosts, places } = read(url);
    expect(hosts.map(({ domains }) => domains[0])).toContain(name);
    expect(places.has('evil.example')).toBe(hosts.some(({ domains }) => domains.includes('evil.example')));
  });
  await fc.assert(property, { numRuns: SPELLINGS });
  await egress.close();
  // Many spellings must reach a host. Otherwise the comparison proves nothing.
  expect(reached).toBeGreaterThan(SPELLINGS / 4);
}, 1_800_000);

describe('an authority that looks like the key of another', () => {
  it.each([
    ['http://.127.0.0.1 //127.0.0.1', '127.0.0.1'],
    ['http://.127.0.0.1 a@127.0.0.1', '127.0.0.1'],
    ['http://.[::1] //[::1]', '[::1]'],
  ])('does not hide it: %s', (text, host) => {
    expect(read(text).hosts.map(({ domains }) => domains[0])).toContain(host);
  });
});
