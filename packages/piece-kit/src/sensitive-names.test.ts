import { isSensitiveKey } from './sensitive-names.js';

it.each(['token', 'apiKey', 'API-Key', 'x_api_key', 'Authorization', 'clientSecret', 'Set-Cookie', 'new password'])(
  'takes %s for the name of a secret',
  (key) => expect(isSensitiveKey(key)).toBe(true),
);

it.each(['tokenAmount', 'secretary_email', 'max_tokens', 'passwordless', 'cookieBanner', 'session', 'key', ''])(
  'does not take %s for the name of a secret',
  (key) => expect(isSensitiveKey(key)).toBe(false),
);
