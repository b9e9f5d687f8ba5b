import fc from 'fast-check';
import { needlesOf, patternsOf } from './patterns.js';
import { redactor } from './redactor.js';
import { DISGUISES } from './testing/disguises.js';

const SECRET = 'p@ss/w"rd\\+12&34é<😀>!';
const disguises = Object.entries(DISGUISES);

// The first secret has too many patterns for the native search, and the others have few enough.
describe.each([
  [SECRET, false],
  ['ghp_0123456789abcdefABCDEFxyz', true],
  ['open sesame please', true],
])('the secret %s', (secret, isNative) => {
  it('is or is not searched natively first', () => {
    expect(needlesOf(patternsOf([secret]).patterns) !== undefined).toBe(isNative);
  });

  const { text, json: redactJson } = redactor([secret]);

  it.each(disguises)('is taken out %s, from texts, values and keys of a log', (_how, disguise) => {
    const said = disguise(secret);
    for (const shown of [
      text(said),
      text(`token ${said}; more`),
      redactJson(JSON.stringify({ a: [said], [said]: 1 })),
    ]) {
      expect(shown).toContain('[redacted]');
      expect(shown).not.toContain(said);
      for (const [, other] of disguises) expect(shown).not.toContain(other(secret));
    }
  });

  it.each(disguises)('leaves what stands around it %s', (how, disguise) => {
    const shown = text(`before|${disguise(secret)}|after`);
    expect(shown).toMatch(/^before\|.*\|after$/s);
    if (!/base64|hex as/.test(how)) expect(shown).toBe('before|[redacted]|after');
  });
});

describe('a secret', () => {
  it('may look like escapes itself', () => {
    for (const secret of ['ab%41&amp;cd', '\\u0041\\n&#65;', 'a+b c%2Bd', '%25%32%35']) {
      for (const [, disguise] of disguises) {
        expect(redactor([secret]).text(` ${disguise(secret)} `)).toContain('[redacted]');
      }
    }
  });

  it('is found if a form decoded its plus as a space, or encoded its space as a plus', () => {
    expect(redactor(['abcd+efgh/ijkl']).text('x abcd efgh/ijkl x')).toBe('x [redacted] x');
    expect(redactor(['open sesame, and close']).text('x open+sesame,+and+close x')).toBe('x [redacted] x');
  });

  it('of four bytes is found in base64 wherever it stands', () => {
    for (const before of ['', 'a', 'aa', 'aaa'])
      for (const after of ['', 'z', 'ÿÿ', 'zzz'])
        expect(redactor(['abcd']).text(Buffer.from(before + 'abcd' + after).toString('base64'))).toContain(
          '[redacted]',
        );
  });

  it('is found in base64 if its beginning there is also the beginning of another secret', () => {
    const { text } = redactor(['abcd', 'abcde']);
    expect(text(Buffer.from(':abcd!').toString('base64'))).toContain('[redacted]');
  });

  it('is found by any of its parts alone where another one begins inside of it', () => {
    const { text: redact } = redactor(['abcdef', 'cdefgh', 'cdef']);
    expect(redact('xabcdefghx xcdefx abcde')).toBe('x[redacted]x x[redacted]x abcde');
  });
});

describe('JSON', () => {
  const { json: redact } = redactor(['12345678', 'body', 'eu\nro', 'data", "x']);
  const redacted = (value: unknown): unknown => JSON.parse(redact(JSON.stringify(value)));

  it.each<[string, unknown, unknown]>([
    ['a number that is the secret goes', { id: 12345678 }, { id: '[redacted]' }],
    ['a number that has it inside stays', { id: 912345678, b: -12345678 }, { id: 912345678, b: -12345678 }],
    ['a number in a text goes', { id: 'n12345678' }, { id: 'n[redacted]' }],
    [
      'keys stay',
      { body: 'antibody', bodyguard: 1, 12345678: 2 },
      { body: 'anti[redacted]', bodyguard: 1, 12345678: 2 },
    ],
    ['no escape is cut in two', { a: 'x\neu\nro' }, { a: 'x\n[redacted]' }],
    ['a secret never reaches from one string into the next', { a: 'data', x: 1 }, { a: 'data', x: 1 }],
    ['nothing else changes', [null, true, -1.5e-7, '', 'é\u2028"\\', {}], [null, true, -1.5e-7, '', 'é\u2028"\\', {}]],
  ])('%s', (_what, value, expected) => {
    expect(redacted(value)).toEqual(expected);
  });

  it('may be cut anywhere', () => {
    const whole = JSON.stringify({ a: 'x12345678', 'b\n': [12345678, 'ü'] });
    for (let length = 0; length < whole.length; length++)
      expect(redact(whole.slice(0, length))).not.toContain('x1234567"');
  });

  it('may nest as deep as it likes', () => {
    const deep = '['.repeat(1_000_000) + '"12345678"' + ']'.repeat(1_000_000);
    expect(redact(deep)).toHaveLength(deep.length + 2);
  });
});

describe('what was put in its place', () => {
  it('is never read again, and stays short', () => {
    const { text } = redactor(['reda', 'cted', '[red', 'acted]', 'redacted']);
    expect(text('redacted cted')).toBe('[redacted] [redacted]');
    expect(text('cted'.repeat(10_000))).toHaveLength('[redacted]'.length * 10_000);
  });
});

describe('of any secrets and any text', () => {
  const alphabet = fc.constantFrom('a', 'b', '%', '4', '1', '\\', 'n', '&', ';', '+', ' ', '/', 'é', '"');
  const secrets = fc.array(fc.string({ unit: alphabet, minLength: 4, maxLength: 9 }), { minLength: 1, maxLength: 5 });
  const disguise = fc.constantFrom(...Object.values(DISGUISES));
  const filling = fc.constantFrom('', ' ', '-', '"', 'x, ', '\n', '|', '.');

  it('none is left, and the JSON stays JSON', () => {
    const pieces = fc.array(fc.tuple(fc.nat(4), disguise, filling), { minLength: 1, maxLength: 6 });
    fc.assert(
      fc.property(secrets, pieces, (chosen, parts) => {
        const { json: redact } = redactor(chosen);
        const said = parts.map(([index, write, after]) => write(chosen[index % chosen.length]!) + after).join('');
        const shown: string = JSON.parse(redact(JSON.stringify([said])))[0];
        return chosen.every((secret) => !shown.replaceAll('[redacted]', '\0').includes(secret));
      }),
      { numRuns: 500 },
    );
  });

  it('a single secret is found at the same places with the native search as with the automaton alone', () => {
    const others = Array.from({ length: 9 }, (_, at) => `another secret ${at}`);
    const letters = fc.constantFrom('a', 'B', 'b', 'Z', '4', 'é', 'À', '_', 'Ͽ'); // At some alignments, the base64 of _é has a slash, and of Ͽ a plus.
    const single = fc.string({ unit: letters, minLength: 4, maxLength: 9 });
    const pieces = fc.array(fc.tuple(fc.boolean(), disguise, filling), { minLength: 1, maxLength: 6 });
    fc.assert(
      fc.property(single, single, pieces, (secret, other, parts) => {
        expect(needlesOf(patternsOf([secret]).patterns)).toBeDefined();
        const said = parts.map(([isSecret, write, after]) => write(isSecret ? secret : other) + after).join('');
        expect(redactor([secret]).text(said)).toBe(redactor([secret, ...others]).text(said));
      }),
      { numRuns: 500 },
    );
  });

  it('what the naive way replaces is replaced, and nothing else where no escape stands', () => {
    const plain = fc.constantFrom('ä', 'é', 'ö');
    const few = fc.array(fc.string({ unit: plain, minLength: 2, maxLength: 4 }), { minLength: 1, maxLength: 4 });
    fc.assert(
      fc.property(few, fc.string({ unit: plain, maxLength: 60 }), (chosen, text) => {
        expect(redactor(chosen).text(text)).toBe(naive(chosen, text));
      }),
      { numRuns: 500 },
    );
  });
});

/** Replaces every occurrence of every secret by brute force, to compare with the redactor. Merges overlapping occurrences. */
function naive(secrets: string[], text: string): string {
  const ranges = secrets.flatMap((secret) =>
    [...text].flatMap((_, at) => (text.startsWith(secret, at) ? [[at, at + secret.length]] : [])),
  );
  ranges.sort((a, b) => a[0]! - b[0]!);
  let shown = '';
  let end = 0;
  let last = -1;
  for (const [from = 0, to = 0] of ranges) {
    if (from >= end || last < 0) shown += `${text.slice(end, from)}[redacted]`;
    last = from;
    end = Math.max(end, to);
  }
  return shown + text.slice(end);
}
