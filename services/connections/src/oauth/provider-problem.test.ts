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
