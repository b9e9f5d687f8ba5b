import { createHash, randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const RANDOM_LENGTH = 40;
const CHECKSUM_LENGTH = 6;
const API_KEY = /^svc_[0-9A-Za-z]{46}$/;

/** Of a connect session. */
export const CONNECT_TOKEN = 'cst_';
/** Of a link to the page of an end user. */
export const PORTAL_TOKEN = 'eut_';

/** Of a bearer that lets agents in, and of one that was issued as OAuth's. */
export const MCP_TOKEN = 'mcp_';
export const MCP_OAUTH_TOKEN = 'mcpo_';
/** Of what OAuth's clients get the next token with, and of what they get the first with. */
export const MCP_REFRESH_TOKEN = 'mcpr_';
export const MCP_CODE = 'mcpc_';

/** `svc_` and a random part. */
export const newApiKey = (): string => newToken('svc_');

/** The prefix + 40 random base62 characters + their CRC32 in base62, so that a secret scanner can check a find offline. */
export function newToken(prefix: `${string}_`): string {
  const random = randomBase62(RANDOM_LENGTH);
  return `${prefix}${random}${checksum(random)}`;
}

/** Whether it can be one of ours. Nobody has to be asked: what was mistyped, cut off or made up is none. */
export function hasChecksum(key: string): boolean {
  return API_KEY.test(key) && key.endsWith(checksum(key.slice(4, -CHECKSUM_LENGTH)));
}

/** Tokens are stored and looked up by this alone. They carry 238 random bits: a slow hash would add nothing. */
export function hashToken(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}

function randomBase62(length: number): string {
  let text = '';
  while (text.length < length) {
    for (const byte of randomBytes(length)) {
      if (byte < 248 && text.length < length) text += BASE62[byte % 62]; // 248 = 4 × 62: no character is likelier
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
