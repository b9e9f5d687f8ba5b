import { crc32 } from 'node:zlib';
import { hashToken, newApiKey } from './tokens.js';

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const numberOf = (digits: string): number => [...digits].reduce((sum, digit) => 62 * sum + BASE62.indexOf(digit), 0);

describe('API keys', () => {
  it('have the documented format and a checksum that a scanner can verify', () => {
    const key = newApiKey();
    expect(key).toMatch(/^svc_[0-9A-Za-z]{46}$/);
    expect(numberOf(key.slice(-6))).toBe(crc32(key.slice(4, -6)));
  });

  it('are found by a SHA-256 that differs for every key', () => {
    expect(hashToken(newApiKey())).toMatch(/^[0-9a-f]{64}$/);
    expect(hashToken(newApiKey())).not.toBe(hashToken(newApiKey()));
  });
});
