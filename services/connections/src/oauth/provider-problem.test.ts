import { processorTime } from '@drawbridge/testkit';
import { shownWords } from './provider-problem.js';

const LINES = ['MIIEvQIBADANBgkqhkiG9w0BAQEFAASC', 'QYJKoZIhvcNAQEBBQADggEPADCCAQoCggE'];
const KEY = `-----BEGIN PRIVATE KEY-----\n${LINES.join('\n')}\n-----END PRIVATE KEY-----\n`;

describe('the words of a provider', () => {
  it.each([
    ['Bad credentials', 'Bad credentials'],
    [' Of\u0000 two\r\nlines\u200b ', 'Of  two lines'],
    ['A key begins with -----BEGIN RSA PRIVATE KEY-----', 'A key begins with -----BEGIN RSA PRIVATE KEY-----'],
    ['\n', undefined],
    [undefined, undefined],
  ])('are shown on one line: %j', (text, shown) => {
    expect(shownWords(text, [KEY, 'sk_live_1', ''])).toBe(shown);
  });

  it.each([
    ['as it is', KEY],
    ['without its end', KEY.trim()],
    ['with other ends of lines', KEY.replaceAll('\n', '\r\n')],
    ['on one line', KEY.replaceAll('\n', ' ')],
    ['without lines', KEY.replaceAll('\n', '')],
    ['in JSON', JSON.stringify({ key: KEY })],
    ['in a URL', encodeURIComponent(KEY)],
    ['in base64', Buffer.from(KEY).toString('base64').replace(/.{64}/g, '$&\n')],
    ['by a line of it', `no key: ${LINES[1]}`],
  ])('are not shown where they quote a key that has lines, %s', (_, quoted) => {
    expect(shownWords(`Bad key ${quoted}!`, ['sk_live_1', KEY])).toBeUndefined();
  });
});

describe('the search for secrets', () => {
  const linesOf = (size: number): string =>
    Array.from({ length: size / 18 }, (_, at) => `${'a'.repeat(12)}${String(at).padStart(5, '0')}`).join('\n');

  it.each<[string, (size: number) => string]>([
    ['one long secret', (size) => `${'a'.repeat(size / 2)}b${'a'.repeat(size / 2)}`],
    ['a secret of many lines', linesOf],
  ])('costs time linear in the sizes of the text and of %s', (_, secretOf) => {
    const cost = (size: number): number => {
      const [text, secret] = ['a'.repeat(size), secretOf(size / 16)];
      return processorTime(() => shownWords(text, [secret]));
    };
    cost(10_000);
    // For 8 times as much text, linear work costs 8 times as much, and work that grows with the product of text and secrets 64 times.
    expect(cost(256_000)).toBeLessThan(20 * (cost(32_000) + 500));
  });
});

describe('a long text of a provider', () => {
  const secret = `sk_${'live'.repeat(300)}`;

  it.each([0, 100, 499])('is not shown where a secret begins in the shown part, at %d', (at) => {
    expect(shownWords(`${'x'.repeat(at)}${secret}`, [secret])).toBeUndefined();
    // Also finds a secret after characters of two UTF-16 units, and with white space inside.
    expect(shownWords(`${'😀'.repeat(at)}${secret.replaceAll('live', 'live ')}`, [secret])).toBeUndefined();
  });

  it('is cut before a secret that begins after the shown part', () => {
    expect(shownWords(`${'x'.repeat(2_000)}${secret}`, [secret])).toBe('x'.repeat(500));
  });
});
