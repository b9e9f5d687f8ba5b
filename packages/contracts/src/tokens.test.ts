import { hashToken, isApiKey, newApiKey } from './tokens.js';

describe('API keys', () => {
  it('have the documented format and a checksum that a scanner can verify', () => {
    const key = newApiKey();
    expect(key).toMatch(/^svc_[0-9A-Za-z]{46}$/);
    expect(isApiKey(key)).toBe(true);
  });

  it('are refused when one character differs', () => {
    const key = newApiKey();
    const other = key.endsWith('0') ? '1' : '0';
    expect(isApiKey(key.slice(0, -1) + other)).toBe(false);
    expect(isApiKey('svc_short')).toBe(false);
  });

  it('are found by a SHA-256 that differs for every key', () => {
    expect(hashToken(newApiKey())).toMatch(/^[0-9a-f]{64}$/);
    expect(hashToken(newApiKey())).not.toBe(hashToken(newApiKey()));
  });
});
