import { createHash } from 'node:crypto';
import { type Action, type JsonObject } from '@drawbridge/piece-kit';
import { type Preview } from '@drawbridge/proto/drawbridge/approvals/v1/gate';
import { processorTime } from '@drawbridge/testkit';
import { redactor, type Redactor } from '../redaction/redactor.js';
import { toPreview } from './preview.js';

const SECRET = 'ghp_0123456789abcdef';
const HIDDEN = '[redacted]';
const REDACT = redactor([SECRET, '98765432']);
const ACTION = { props: { to: { type: 'SHORT_TEXT' }, pin: { type: 'SECRET_TEXT' } } } as unknown as Action;
const preview = (input: JsonObject, redact: Redactor = REDACT): Preview => toPreview(input, ACTION, redact);
const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');
const nested = (levels: number): JsonObject => (levels === 0 ? {} : { a: nested(levels - 1) });
const inFull = { truncatedFields: [], omittedFields: 0 };

it.each<[string, JsonObject, JsonObject, string[]]>([
  ['nothing', {}, {}, []],
  ['values without secrets unchanged', { a: [1, true, null, { b: 'x' }] }, { a: [1, true, null, { b: 'x' }] }, []],
  ['no property that the action declares secret', { pin: 'x' }, { pin: HIDDEN }, ['pin']],
  ['a nested key with the name of such a property', { a: { pin: 'x' } }, { a: { pin: 'x' } }, []],
  [
    'no value under the name of a secret',
    { headers: { Authorization: 'Bearer x' } },
    { headers: { Authorization: HIDDEN } },
    ['headers.Authorization'],
  ],
  ['a name that only contains the word token', { tokenAmount: 1_000_000 }, { tokenAmount: 1_000_000 }, []],
  ['a name that only contains the word secret', { secretary_email: 'a@b.c' }, { secretary_email: 'a@b.c' }, []],
  [
    'no credential in a text',
    { items: ['a', { note: `is ${SECRET}!` }] },
    { items: ['a', { note: `is ${HIDDEN}!` }] },
    ['items[1].note'],
  ],
  ['no credential in base64', { a: Buffer.from(SECRET).toString('base64url') }, { a: HIDDEN }, ['a']],
  ['no credential that is a number', { a: 98765432 }, { a: HIDDEN }, ['a']],
  ['no credential that is a key', { [SECRET]: 1 }, { [HIDDEN]: 1 }, [HIDDEN]],
  [
    'each of the keys that redact alike',
    { [SECRET]: 1, [`${SECRET}`.toUpperCase()]: 2, '98765432': 3 },
    { [HIDDEN]: 3, [`${SECRET}`.toUpperCase()]: 2, [`${HIDDEN} (2)`]: 1 },
    [HIDDEN, HIDDEN],
  ],
  [
    'nested keys that redact alike',
    { a: { [SECRET]: 1, x: 2, y98765432: 3, [`${SECRET}`.repeat(1)]: 4, [`y${SECRET}`]: 5 } },
    { a: { [HIDDEN]: 4, x: 2, [`y${HIDDEN}`]: 3, [`y${HIDDEN} (2)`]: 5 } },
    [`a.${HIDDEN}`, `a.y${HIDDEN}`, `a.y${HIDDEN}`],
  ],
  [
    'no secret of an address',
    { url: 'https://ann:pw@x.example/?token=t&b=1&tokenAmount=5' },
    { url: `https://ann:${HIDDEN}@x.example/?token=${HIDDEN}&b=1&tokenAmount=5` },
    ['url'],
  ],
  [
    'deceptive characters as code points, in keys too',
    { 't\u043e': 'to \u202Emoc', list: [{ '\u200b': 'https://\u0430pple.com' }] },
    { 't⟨U+043E⟩': 'to ⟨U+202E⟩moc', list: [{ '⟨U+200B⟩': 'https://⟨U+0430⟩pple.com' }] },
    [],
  ],
])('shows of an input %s', (_what, input, shown, paths) => {
  const { truncatedFields: _, ...rest } = preview(input);
  expect(rest).toEqual({ input: shown, redactedPaths: paths, omittedFields: 0 });
});

it('cuts each long value on its own, and says how long it is', () => {
  const long = 'x'.repeat(60_000);
  const { input, truncatedFields, omittedFields } = preview({ long, list: [long], to: 'ann@example.com', n: 7 });
  expect(input).toMatchObject({
    to: 'ann@example.com',
    n: 7,
    long: { truncated: true, preview: expect.stringMatching(/^x{16000,}$/), bytes: 60_000, sha256: sha256(long) },
    list: { truncated: true, preview: expect.stringMatching(/^\["x{16000,}$/), bytes: 60_004 },
  });
  expect({ truncatedFields, omittedFields }).toEqual({ truncatedFields: ['long', 'list'], omittedFields: 0 });
});

it('shows the fields that the action declares before those that only the caller names', () => {
  const junk = Object.fromEntries(Array.from({ length: 5_000 }, (_, n) => [`k${n}`, 'x'.repeat(100)]));
  const { input, omittedFields } = preview({ ...junk, to: 'ann@example.com' });
  expect(Object.keys(input!)[0]).toBe('to');
  expect(Object.keys(input!)).toHaveLength(100);
  expect(omittedFields).toBe(4_901);
});

it('marks a key that is too long to be shown, and distinguishes it from another', () => {
  const { input, truncatedFields } = preview({ [`${'k'.repeat(500)}a`]: 1, [`${'k'.repeat(500)}b`]: 2 });
  const name = 'k'.repeat(100);
  expect(input).toEqual({ [name]: 1, [`${name} (2)`]: 2 });
  expect(truncatedFields).toEqual([name, `${name} (2)`]);
});

it('marks a value that nests too deeply, and shows it as text', () => {
  expect(preview({ a: nested(30) })).toEqual({ input: { a: nested(30) }, redactedPaths: [], ...inFull });
  const deep = preview({ a: nested(31), to: 'ann' });
  expect(deep.input).toMatchObject({ a: { truncated: true, preview: JSON.stringify(nested(31)) }, to: 'ann' });
  expect(deep.truncatedFields).toEqual(['a']);
});

it('shows no part of a credential, and no hash of it, wherever a value is cut', () => {
  for (const length of [15_900, 15_990, 31_990, 32_760, 60_000]) {
    const text = 'x'.repeat(length) + SECRET + 'y'.repeat(60_000);
    const { input } = preview({ a: text, b: SECRET });
    expect(input).toMatchObject({ a: { truncated: true, sha256: sha256(text.replace(SECRET, HIDDEN)) }, b: HIDDEN });
    expect(JSON.stringify(input)).not.toContain(SECRET.slice(0, 8));
  }
});

it('names at most 100 redacted paths of at most 200 characters', () => {
  const many = { a: Object.fromEntries(Array.from({ length: 500 }, (_, n) => [`${n}`, { token: 'x' }])) };
  expect(preview(many).redactedPaths).toHaveLength(100);
  const [path] = preview({ ['k'.repeat(5_000)]: { token: 1 } }).redactedPaths;
  expect(path!.length).toBeLessThanOrEqual(200);
});

const fill = (bytes: number, piece: string): string => piece.repeat(Math.ceil(bytes / Buffer.byteLength(piece)));
const list = (bytes: number, of: JsonObject[string]): JsonObject[string][] =>
  Array.from({ length: bytes / (JSON.stringify(of).length + 1) }, () => of);
const keys = (bytes: number, key: (n: number) => string): JsonObject =>
  Object.fromEntries(Array.from({ length: bytes / 20 }, (_, n) => [key(n), n]));

it.each<[string, JsonObject, JsonObject, string[]]>([
  [
    'an object under the name of a secret',
    { json: { variables: { token: { to: 'evil', amount: 1 } } } },
    { json: { variables: { token: { to: 'evil', amount: 1 } } } },
    [],
  ],
  ['a text under such a name', { json: { token: 'pay evil' } }, { json: { token: HIDDEN } }, ['json']],
  [
    'texts in a list under such a name',
    { json: { token: ['a', { b: 1 }] } },
    { json: { token: [HIDDEN, { b: 1 }] } },
    ['json'],
  ],
  [
    'a text that looks like a query',
    { text: 'go to:&token=https://evil.example' },
    { text: `go to:&token=${HIDDEN}` },
    ['text'],
  ],
])('counts what a name hides as not shown: %s', (_what, given, shown, truncatedFields) => {
  expect(preview(given)).toMatchObject({ input: shown, truncatedFields });
});

/** `npm test` uses a smaller input, which still has more than twice the bytes that a preview may have. */
const LARGE = process.env['FULL'] === '0' ? 300_000 : 1_000_000;

describe.each<[string, (bytes: number) => JsonObject]>([
  ['one text', (bytes) => ({ a: fill(bytes, 'x') })],
  ['control characters', (bytes) => ({ a: fill(bytes, '\u0000') })],
  ['bidirectional controls', (bytes) => ({ a: fill(bytes, '\u202e') })],
  ['look-alike letters', (bytes) => ({ a: fill(bytes, 'a\u0430.') })],
  ['escapes', (bytes) => ({ a: fill(bytes, '%25%41') })],
  ['credentials', (bytes) => ({ a: fill(bytes, SECRET) })],
  ['secret keys', (bytes) => ({ a: list(bytes, { token: 1 }) })],
  ['numbers', (bytes) => Object.fromEntries(Array.from({ length: 100 }, (_, n) => [`k${n}`, list(bytes / 100, 1)]))],
  ['long texts', (bytes) => ({ a: list(bytes, 'token=1&https://a:b@c') })],
  ['top-level keys', (bytes) => keys(bytes, (n) => `k${n}`)],
  ['nested keys', (bytes) => ({ a: keys(bytes, (n) => `k${n}`) })],
  ['long keys with secret children', (bytes) => ({ a: { [fill(bytes, 'k')]: list(4_000, { token: 1 }) } })],
  ['keys that redact alike', (bytes) => ({ a: keys(bytes, (n) => SECRET + '-'.repeat(n % 99) + SECRET) })],
])('an input of many %s', (_what, inputOf) => {
  it('takes a bounded number of bytes', () => {
    const { input, redactedPaths, truncatedFields } = preview(inputOf(LARGE));
    expect(Buffer.byteLength(JSON.stringify([input, redactedPaths, truncatedFields]))).toBeLessThan(128_000);
  });

  // Like all costs over sizes, it is measured only in the full run.
  if (process.env['FULL'] !== '0') {
    it('costs time in proportion to its size', () => {
      const timeOf = (input: JsonObject): number => processorTime(() => preview(input), 3);
      // For 16 times the input, linear work costs 16 times as much, and quadratic work 256 times.
      expect(timeOf(inputOf(480_000)) / timeOf(inputOf(30_000))).toBeLessThan(100);
    });
  }
});
