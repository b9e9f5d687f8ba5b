import { crc32 } from 'node:zlib';
import { hashToken, hasChecksum, newApiKey, newToken } from './tokens.js';

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const numberOf = (digits: string): number => [...digits].reduce((sum, digit) => 62 * sum + BASE62.indexOf(digit), 0);

describe('API keys', () => {
  it('have the documented format and a checksum that a scanner can verify', () => {
    const key = newApiKey();
    expect(key).toMatch(/^svc_[0-9A-Za-z]{46}$/);
    expect(numberOf(key.slice(-6))).toBe(crc32(key.slice(4, -6)));
  });

  it('have a prefix for their purpose', () => {
    expect(newToken('cst_')).toMatch(/^cst_[0-9A-Za-z]{46}$/);
  });

  it('are distinguished from other texts', () => {
    for (let n = 0; n < 1_000; n++) expect(hasChecksum(newApiKey())).toBe(true);
    const key = newApiKey();
    for (const at of [4, 20, 43, 44, 49]) {
      const other = key[at] === '0' ? '1' : '0';
      expect(hasChecksum(key.slice(0, at) + other + key.slice(at + 1))).toBe(false);
    }
    for (const none of ['', 'svc_', key.slice(0, -1), `${key}0`, ` ${key}`, `svc-${key.slice(4)}`])
      expect(hasChecksum(none)).toBe(false);
  });

  it('are found by a SHA-256 that differs for every key', () => {
    expect(hashToken(newApiKey())).toMatch(/^[0-9a-f]{64}$/);
    expect(hashToken(newApiKey())).not.toBe(hashToken(newApiKey()));
  });
});
