import { processorTime } from '@drawbridge/testkit';
import { needlesOf, patternsOf } from './patterns.js';
import { redactor } from './redactor.js';

const MIB = 1024 * 1024;
const TOKEN = 'ghp_0123456789abcdefABCDEF0123456789abcd';

/** 100 secrets with a total length of 64 kB. */
const alike = Array.from({ length: 100 }, (_, at) => 'a'.repeat(150) + String(at).padStart(490, 'b'));
const mixed = Array.from({ length: 100 }, (_, at) => `${at}"&‹'é/`.repeat(80).slice(0, 640));
const long = ['"&‹\'é'.repeat(13_000).slice(0, 64_000)];
const pieces: [string, readonly string[], string][] = [
  ['words', alike, 'The quick brown fox, '],
  ['one character', alike, 'a'],
  ['the beginnings of secrets', alike, `${'a'.repeat(150)}c`],
  ['secrets and escapes', mixed, `${encodeURIComponent(mixed[2]!)}&#65;\\u0041\n`],
  ['base64 in lines', mixed, `${Buffer.from(mixed[3]!).toString('base64')}\r\n`],
  ['line breaks behind a letter', mixed, '\n'],
  ['blanks behind a letter', mixed, ' '],
  ['a part of a long secret', long, long[0]!.slice(0, 10_000)],
  ['half of a character reference', mixed, '&#1'],
  ['quotes and line breaks', alike, 'The "quick" brown\nfox, '],
];

function costOf(secrets: readonly string[], pieceOfText: string, bytes: number): number {
  const { output } = redactor(secrets);
  const count = Math.ceil(bytes / Buffer.byteLength(JSON.stringify(pieceOfText)));
  const json = JSON.stringify({ text: `a${pieceOfText.repeat(count)}!`, list: ['a', { b: 1 }] });
  return processorTime(() => output(json), 4);
}

it.each(pieces)('costs time linear in an output of %s', (_what, secrets, piece) => {
  costOf(secrets, piece, MIB / 8); // The first run only makes the engine compile the code.
  // For 16 times the input, linear work costs 16 times as much, and quadratic work 256 times.
  expect(costOf(secrets, piece, 2 * MIB) / costOf(secrets, piece, MIB / 8)).toBeLessThan(100);
});

const others = Array.from({ length: 20 }, (_, at) => `another secret ${at}`);

it.each([
  ['one character, with secrets that begin with it', ['aaaaab', 'aaaaac', 'aaaaad', 'aaaaae'], 'a'],
  ['the hex of the beginning of secrets', ['UUUe', 'UUUf', 'UUUg', 'UUUh'], '5'],
  ['the beginning of a long secret', [`${'a'.repeat(600)}b`], `${'a'.repeat(15)}c`],
  ['the end of a long secret', [`b${'a'.repeat(600)}`], 'a'],
  ['the other case of secrets', ['b', 'c', 'd', 'e'].map((end) => `${'a'.repeat(15)}${end}${'a'.repeat(20)}`), 'A'],
])('costs about as much in an output of %s as without the native search', (_what, secrets, piece) => {
  costOf(secrets, piece, MIB / 8);
  expect(costOf(secrets, piece, MIB) / costOf([...secrets, ...others], piece, MIB)).toBeLessThan(5);
});

/** Secrets that begin with the same four characters in base64 at each alignment: VVVV. */
const alikeInBase64 = ['UUUPeeee', 'UUUXffff', 'UUUZgggg', 'UUUSe222'];

it.each([0, 2, 1_000])(
  'searches for many secrets in base64 at the cost of one, with %i blanks after a character',
  (blanks) => {
    const text = `${`V${' '.repeat(blanks)}`.repeat(4)}-`.repeat(MIB / (4 * blanks + 5));
    const cost = (secrets: readonly string[]): number => {
      const { base64 } = needlesOf(patternsOf(secrets).patterns)!;
      return processorTime(() => expect(base64.test(text)).toBe(false), 4);
    };
    cost(alikeInBase64);
    expect(cost(alikeInBase64) / cost(alikeInBase64.slice(0, 1))).toBeLessThan(2);
  },
);

it('costs time linear in the size of 100 secrets to prepare for them', () => {
  const cost = (length: number): number => {
    const secrets = Array.from({ length: 100 }, (_, at) => `${at}"&‹'é/`.repeat(length / 5).slice(0, length));
    return processorTime(() => redactor(secrets).text('a'), 4);
  };
  cost(640);
  expect(cost(16_000) / cost(1_000)).toBeLessThan(100);
});

it('redacts more matches than a call can have arguments', () => {
  const json = JSON.stringify(Array.from({ length: 200_000 }, () => TOKEN));
  const { json: shown } = redactor([TOKEN]).output(json) as { json: string };
  expect(shown).toBe(json.replaceAll(TOKEN, '[redacted]'));
});
