import { hideInUrls, hideSensitive, isSensitiveKey } from './hide-sensitive.js';

it('hides values of sensitive keys and secret properties', () => {
  const input = { headers: { Authorization: 'Bearer x', accept: '*' }, mine: 's', list: [{ apiKey: 1 }], text: 't' };
  expect(hideSensitive(input, (key) => key === 'mine')).toEqual({
    headers: { Authorization: '[redacted]', accept: '*' },
    mine: '[redacted]',
    list: [{ apiKey: '[redacted]' }],
    text: 't',
  });
});

it.each([
  ['a million characters that begin no query', `?${'token'.repeat(200_000)}`],
  ['a million marks', '?'.repeat(1_000_000)],
  ['a million hosts', '://'.repeat(300_000)],
])('reads %s in time that grows with them alone', (_what, text) => {
  expect(hideInUrls(text)).toBe(text);
});

it.each(['token', 'apiKey', 'API-Key', 'x_api_key', 'Authorization', 'clientSecret', 'Set-Cookie', 'new password'])(
  'takes %s for the name of a secret',
  (key) => expect(isSensitiveKey(key)).toBe(true),
);

it.each(['tokenAmount', 'secretary_email', 'max_tokens', 'passwordless', 'cookieBanner', 'session', 'key', ''])(
  'does not take %s for the name of a secret',
  (key) => expect(isSensitiveKey(key)).toBe(false),
);
