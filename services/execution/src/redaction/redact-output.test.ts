import { processorTime } from '@drawbridge/testkit';
import { redactor } from './redactor.js';
import { base64, DISGUISES } from './testing/disguises.js';

const SECRET = 'p@ss/w"rd\\+12&34é<😀>!';
const TOKEN = 'ghp_0123456789abcdef';
const disguises = Object.entries(DISGUISES);

describe('an output', () => {
  const base64File = (content: string | Buffer, more: object = {}) => {
    return { filename: 'a.pdf', mimeType: 'application/pdf', base64: Buffer.from(content).toString('base64'), ...more };
  };
  const { output } = redactor(['admin', 'body', 'JVBE', SECRET]);
  const shown = (value: unknown): unknown => output(JSON.stringify(value));
  const unchanged = (value: unknown): object => ({ json: JSON.stringify(value) });

  it.each<[string, unknown]>([
    ['keys that are secrets', { admin: 1, body: { adminbody: [{ JVBE: null }] } }],
    // The base64 of the file begins with JVBE, which is one of the secrets.
    ['a file with base64 that reads like a secret', { items: [base64File('%PDF-1.7 an innocent file')] }],
    ['every byte that a file can have', base64File(Buffer.from(Array.from({ length: 65_536 }, (_, at) => at % 251)))],
    ['an empty file', base64File('')],
    ['strings that no secret stands in', { text: 'é\u2028"\\/\b', escaped: '%20&amp;\\n', number: 1e-7 }],
  ])('leaves %s byte for byte', (_what, value) => expect(shown(value)).toEqual(unchanged(value)));

  it.each(disguises)('refuses a file that contains a secret %s', (_how, disguise) => {
    expect(shown({ items: [1, base64File(`before ${disguise(SECRET)} after`)] })).toEqual({ secretIn: 'FILE' });
  });

  it.each(disguises)('refuses a key that holds a secret of 16 characters %s', (_how, disguise) => {
    expect(shown({ a: [{ [`x ${disguise(SECRET)}`]: 1 }] })).toEqual({ secretIn: 'KEY' });
  });

  it.each([
    ['more secrets that need escapes than are searched in escaped forms', 1_001, ''],
    ['secrets with escaped forms that are too long together', 900, '<"&é">'.repeat(3)],
  ])('refuses a key that holds the base64 of a long secret in JSON, with %s', (_what, count, end) => {
    const others = Array.from({ length: count }, (_, at) => `a b${at}${end}`.slice(0, 15));
    const key = base64(JSON.stringify({ password: SECRET }));
    const { output, json } = redactor([...others, SECRET]);
    expect(output(JSON.stringify({ [key]: 1 }))).toEqual({ secretIn: 'KEY' });
    expect(json(JSON.stringify({ [key]: 1 }))).toContain('[redacted]');
  });

  // If a provider lets callers name the fields of a response, as in GraphQL, a caller can give any text the form of a file.
  it.each([
    ['of 8 characters as it is', 'Tok3n+/9', 'Tok3n+/9'],
    ['of 8 characters in hex', 'Tok3n+/9', Buffer.from('Tok3n+/9').toString('hex')],
    ['of 20 characters', 'sk9ABCDEFGHIJKLMNOPQ', 'sk9ABCDEFGHIJKLMNOPQ'],
    ['of 20 characters between others', 'sk9ABCDEFGHIJKLMNOPQ', 'abcsk9ABCDEFGHIJKLMNOPQx'],
  ])('refuses a file with base64 that is not a content but a secret: %s', (_what, secret, text) => {
    const json = JSON.stringify({ ...base64File(''), base64: text });
    expect(redactor([secret]).output(json)).toEqual({ secretIn: 'FILE' });
  });

  it.each<[string, object]>([
    ['with a field more', base64File('the admin', { size: 9 })],
    ['without its type', { filename: 'a', base64: base64('the admin') }],
    ['that is no base64', { filename: 'a', mimeType: 'a/b', base64: 'an admin' }],
  ])('takes an object %s for no file, and rewrites it', (_what, value) => {
    expect(shown(value)).toEqual({ json: expect.stringContaining('[redacted]') });
  });

  it('rewrites the other fields of a file, and another base64 than that of a file', () => {
    const other = { base64: base64('%PDF-1.7 another') };
    const { json } = shown([base64File('%PDF-1.7', { filename: 'the admin.pdf' }), other]) as { json: string };
    const [file, rewritten] = JSON.parse(json);
    expect(file).toEqual(base64File('%PDF-1.7', { filename: 'the [redacted].pdf' }));
    expect(rewritten.base64).toMatch(/^\[redacted\]/);
  });

  it('costs time linear in the size, whatever the fields are', () => {
    const many = (count: number): string =>
      JSON.stringify(
        Array.from({ length: count }, (_, at) => ({ [`adminé${at}`]: base64File(`x${at}`), body: 'admin' })),
      );
    const cost = (json: string): number => processorTime(() => output(json));
    const [small, large] = [many(1_000), many(8_000)];
    expect(cost(large) / cost(small)).toBeLessThan(4 * (large.length / small.length));
  });

  it.each<[string, unknown]>([
    ['plain words', { title: 'The drawbridge is up', ids: [1, 2.5, null, true] }],
    ['what JSON alone escapes', { text: 'one "line"\r\n\tand another/\b\f', 'a\nkey': 'é😀' }],
    ['the query of a URL', { url: 'https://x.example/?page=2&per_page=30', share: '100 % of them & more' }],
    ['hex and base64', { sha: 'deadbeef'.repeat(5), file: base64('nothing secret at all') }],
    ['most of the secret', { text: TOKEN.slice(0, -1) }],
    ['half of a character', { text: '\ud800 \udc00', '\udfff': 1 }],
    ['the base64 of a text that shares its beginning with a short secret', { text: base64('Bod') }],
  ])('leaves %s byte for byte', (_what, value) => {
    expect(redactor([TOKEN, 'Body']).output(JSON.stringify(value))).toEqual(unchanged(value));
  });

  it.each([
    ['the secret', TOKEN],
    ['the secret after a line', `token\n${TOKEN}`],
    ['the secret in hex', Buffer.from(TOKEN).toString('hex')],
    ['the secret in base64, after one byte', base64(`x${TOKEN}`)],
    ['the secret in base64, after two', base64(`xx${TOKEN}`)],
    ['the secret in base64 in lines', base64(TOKEN).replace(/.{5}/g, '$&\r\n')],
    ['the secret in base64 between blanks and tabs', base64(TOKEN).replace(/.{5}/g, '$& \t')],
  ])('rewrites a value that holds %s, and refuses such a key', (_how, text) => {
    expect(redactor([TOKEN]).output(JSON.stringify({ text }))).toEqual({ json: expect.stringContaining('[redacted]') });
    expect(redactor([TOKEN]).output(JSON.stringify({ [text]: 1 }))).toEqual({ secretIn: 'KEY' });
  });

  it('leaves half of a character beside a secret, in a text and in JSON', () => {
    const text = `\ud800 ${TOKEN} \udc00é`;
    expect(redactor([TOKEN]).text(text)).toBe('\ud800 [redacted] \udc00é');
    expect(redactor([TOKEN]).json(`["${text}"]`)).toBe('["\ud800 [redacted] \udc00é"]');
  });
});
