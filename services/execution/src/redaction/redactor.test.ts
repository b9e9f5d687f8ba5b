import fc from 'fast-check';
import { redactor } from './redactor.js';

const SECRET = 'p@ss/w"rd\\+12&34é<😀>!';
const base64 = (text: string): string => Buffer.from(text).toString('base64');
const hex = (text: string): string => Buffer.from(text).toString('hex');
const everyByte = (text: string, before: string): string =>
  [...Buffer.from(text)].map((byte) => before + byte.toString(16).padStart(2, '0')).join('');
const everyUnit = (text: string, toText: (unit: number) => string): string =>
  text
    .split('')
    .map((unit) => toText(unit.charCodeAt(0)))
    .join('');
const everyPoint = (text: string, toText: (point: number) => string): string =>
  [...text].map((character) => toText(character.codePointAt(0)!)).join('');
const mixedCase = (text: string): string =>
  text.replace(/./g, (letter, at) => (at % 3 ? letter.toUpperCase() : letter));
const inLines = (text: string, length: number, end: string): string =>
  text.replace(new RegExp(`.{${length}}`, 'g'), `$&${end}`);
const json = (text: string): string => JSON.stringify(text).slice(1, -1);
const html = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');

/** How providers, proxies and their logs write what they were sent. */
const DISGUISES: Record<string, (secret: string) => string> = {
  'as it is': (secret) => secret,
  'by encodeURIComponent': encodeURIComponent,
  'by encodeURI': encodeURI,
  'as a form': (secret) => new URLSearchParams([['', secret]]).toString().slice(1),
  'URL-encoded in lower case': (secret) => encodeURIComponent(secret).replace(/%../g, (byte) => byte.toLowerCase()),
  'with every byte as %xx': (secret) => everyByte(secret, '%'),
  'URL-encoded twice': (secret) => encodeURIComponent(encodeURIComponent(secret)),
  'as JSON': json,
  'as JSON with \\/': (secret) => json(secret).replaceAll('/', '\\/'),
  'as JSON in JSON': (secret) => json(json(secret)),
  'with every character as \\uXXXX': (secret) =>
    everyUnit(secret, (unit) => `\\u${unit.toString(16).padStart(4, '0')}`),
  'with every byte as \\x': (secret) => everyPoint(secret, (point) => `\\u{${point.toString(16)}}`),
  'in HTML': html,
  'with every character as &#n;': (secret) => everyPoint(secret, (point) => `&#${point};`),
  'with every character as &#xn;': (secret) => everyPoint(secret, (point) => `&#x${point.toString(16)};`),
  'in hex': hex,
  'in hex in capitals': (secret) => hex(secret).toUpperCase(),
  'in hex in mixed case': (secret) => mixedCase(hex(secret)),
  'in base64': base64,
  'in base64 after one byte': (secret) => base64(`:${secret}`),
  'in base64 after two bytes': (secret) => base64(`u:${secret} `),
  'in base64url between others': (secret) => Buffer.from(`user:${secret}:more`).toString('base64url'),
  'in base64 with line breaks': (secret) => inLines(base64(secret), 5, '\r\n'),
  'in base64 with line breaks as JSON writes them': (secret) => inLines(base64(`aa${secret}`), 4, '\\n'),
  'in URL-encoded base64': (secret) => encodeURIComponent(base64(secret)),
  'in base64 as JSON': (secret) => base64(JSON.stringify({ secret })),
  'in base64 as a URL': (secret) => base64(`https://x.example/?q=${encodeURIComponent(secret)}&r`),
  'in hex as a form': (secret) => hex(new URLSearchParams({ secret }).toString()),
};
const disguises = Object.entries(DISGUISES);

describe('a secret', () => {
  const { text, json: redactJson } = redactor([SECRET]);

  it.each(disguises)('is taken out %s, from texts, values and keys', (_how, disguise) => {
    const said = disguise(SECRET);
    for (const shown of [
      text(said),
      text(`token ${said}; more`),
      redactJson(JSON.stringify({ a: [said], [said]: 1 })),
    ]) {
      expect(shown).toContain('[redacted]');
      expect(shown).not.toContain(said);
      for (const [, other] of disguises) expect(shown).not.toContain(other(SECRET));
    }
  });

  it.each(disguises)('leaves what stands around it %s', (how, disguise) => {
    const shown = text(`before|${disguise(SECRET)}|after`);
    expect(shown).toMatch(/^before\|.*\|after$/s);
    if (!/base64|hex as/.test(how)) expect(shown).toBe('before|[redacted]|after');
  });

  it('may look like escapes itself', () => {
    for (const secret of ['ab%41&amp;cd', '\\u0041\\n&#65;', 'a+b c%2Bd', '%25%32%35']) {
      for (const [, disguise] of disguises) {
        expect(redactor([secret]).text(` ${disguise(secret)} `)).toContain('[redacted]');
      }
    }
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
    ['keys of ours stay', { body: 'nobody', bodyguard: 1 }, { body: 'no[redacted]', '[redacted]guard': 1 }],
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

/** Every place of every secret is marked; marks that overlap are one stretch. */
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
