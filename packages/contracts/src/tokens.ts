import { hash, randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const RANDOM_LENGTH = 40;
const CHECKSUM_LENGTH = 6;
const API_KEY = /^svc_[0-9A-Za-z]{46}$/;

/** Prefix of the token of a connect session. */
export const CONNECT_TOKEN = 'cst_';
/** Prefix of the token in a link to an end user's page. */
export const PORTAL_TOKEN = 'eut_';

/** Prefixes of agents' bearer tokens: static tokens, and access tokens that were issued by OAuth. */
export const MCP_TOKEN = 'mcp_';
export const MCP_OAUTH_TOKEN = 'mcpo_';
/** Prefixes of OAuth refresh tokens and authorization codes. */
export const MCP_REFRESH_TOKEN = 'mcpr_';
export const MCP_CODE = 'mcpc_';

/** Returns `svc_` followed by a random part. */
export const newApiKey = (): string => newToken('svc_');

/** Returns the prefix, 40 random base62 characters and their CRC32 in base62. With the checksum a secret scanner can verify a match offline. */
export function newToken(prefix: `${string}_`): string {
  const random = randomBase62(RANDOM_LENGTH);
  return `${prefix}${random}${checksum(random)}`;
}

/** Returns whether the string can be an API key of Drawbridge. Rejects mistyped, truncated and invented keys without a look-up. */
export function hasChecksum(key: string): boolean {
  return API_KEY.test(key) && key.endsWith(checksum(key.slice(4, -CHECKSUM_LENGTH)));
}

/** Returns the hash by which tokens are stored and looked up. A fast hash is sufficient, because tokens have 238 random bits. */
export function hashToken(token: string): string {
  return hash('sha256', token, 'hex');
}

function randomBase62(length: number): string {
  let text = '';
  while (text.length < length) {
    for (const byte of randomBytes(length)) {
      if (byte < 248 && text.length < length) text += BASE62[byte % 62]; // 248 = 4 × 62, so every character is equally likely
    }
  }
  return text;
}

function checksum(text: string): string {
  let rest = crc32(text);
  let digits = '';
  for (let i = 0; i < CHECKSUM_LENGTH; i++) {
    digits = BASE62[rest % 62] + digits;
    rest = Math.floor(rest / 62);
  }
  return digits;
}
