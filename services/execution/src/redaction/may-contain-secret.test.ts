import { Automaton } from './automaton.js';
import { mayContainSecret } from './may-contain-secret.js';
import { patternsOf } from './patterns.js';

const SECRET = 'ghp_0123456789abcdef';
const automaton = new Automaton(patternsOf([SECRET]));
const holds = (json: string): boolean => mayContainSecret(Buffer.from(json), automaton);

describe('an answer', () => {
  it.each<[string, unknown]>([
    ['of plain words', { title: 'The drawbridge is up', ids: [1, 2.5, null, true] }],
    ['with what JSON alone escapes', { text: 'one "line"\r\n\tand another/\b\f', 'a\nkey': 'é😀' }],
    ['with the query of a URL', { url: 'https://x.example/?page=2&per_page=30', share: '100 % of them & more' }],
    ['in hex and base64', { sha: 'deadbeef'.repeat(5), file: Buffer.from('nothing secret at all').toString('base64') }],
    ['with most of the secret', { text: SECRET.slice(0, -1) }],
  ])('%s is read once', (_what, value) => {
    expect(holds(JSON.stringify(value))).toBe(false);
  });

  it.each([
    ['the secret', SECRET],
    ['the secret after a line', `token\n${SECRET}`],
    ['the secret in hex', Buffer.from(SECRET).toString('hex')],
    ['the secret in base64, after one byte', Buffer.from(`x${SECRET}`).toString('base64')],
    ['the secret in base64, after two', Buffer.from(`xx${SECRET}`).toString('base64')],
    ['the secret in base64 in lines', Buffer.from(SECRET).toString('base64').replace(/.{5}/g, '$&\r\n')],
    ['escapes of URLs', '%67'],
    ['escapes of HTML', '&#x67;'],
    ['escapes of its own', '\\u0067'],
    ['half of a character', '\ud800'],
  ])('that holds %s is read again', (_what, text) => {
    expect(holds(JSON.stringify({ text }))).toBe(true);
    expect(holds(JSON.stringify({ [text]: 1 }))).toBe(true);
  });

  it('that is cut within an escape is read again', () => {
    expect(holds('{"text":"a\\')).toBe(true);
    expect(holds('{"text":"a')).toBe(false);
  });
});
