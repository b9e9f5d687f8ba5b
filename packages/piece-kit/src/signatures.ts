import { createPublicKey, verify } from 'node:crypto';
import { member } from './answer.js';
import { type JsonObject } from './json.js';
import { type Proof, type WebhookRequest } from './trigger.js';
import { isRecent, isSigned } from './webhooks.js';

interface SignedByKey {
  algorithm: 'ed25519' | 'ecdsa-sha256';
  /** Ed25519: 32 bytes in hex (Discord). ECDSA: SubjectPublicKeyInfo in DER as base64 (SendGrid). Both also in PEM. */
  publicKey: string;
  /** The signed parts in order. */
  content: readonly (string | Uint8Array)[];
  /**
   * Lower-case hex or padded base64. Other encodings of the same bytes are rejected, because otherwise a copy of a request could count as a different
   * request.
   */
  signature: string | undefined;
  encoding: 'hex' | 'base64';
}

/** The bytes that precede an Ed25519 key in SubjectPublicKeyInfo (RFC 8410). */
const ED25519_PREFIX = Buffer.from('302a300506032b6570032100', 'hex');

/**
 * Returns whether a request is signed with the private key of `publicKey` (Ed25519, RFC 8032; ECDSA in DER). Returns false for a malformed key. Do
 * not use an ECDSA signature to recognize copies of a request, because anyone can compute a second valid signature from the first.
 */
export function isSignedByKey({ algorithm, publicKey, content, signature, encoding }: SignedByKey): boolean {
  if (!signature) return false;
  const given = Buffer.from(signature, encoding);
  if (given.toString(encoding) !== signature) return false;
  const signed = Buffer.concat(content.map((part) => Buffer.from(part as string)));
  try {
    const key = toKey(publicKey, algorithm);
    return verify(algorithm === 'ed25519' ? null : 'sha256', signed, key, given);
  } catch {
    return false; // The key or the signature has another format.
  }
}

function toKey(publicKey: string, algorithm: SignedByKey['algorithm']) {
  if (publicKey.startsWith('-----BEGIN')) return createPublicKey(publicKey);
  const key =
    algorithm === 'ed25519'
      ? Buffer.concat([ED25519_PREFIX, Buffer.from(publicKey, 'hex')])
      : Buffer.from(publicKey, 'base64');
  return createPublicKey({ key, format: 'der', type: 'spki' });
}

/** The tolerance for `exp` and `nbf`, because clocks differ. */
const CLOCK_SECONDS = 60;
const MAX_TOKEN = 16_384;

/**
 * Returns the claims of a JSON Web Token with HS256 (RFC 7519) if it is signed with the secret and currently valid, otherwise undefined. Rejects
 * other algorithms, critical extensions (`crit`), and times that are not numbers.
 */
export function claimsOf(
  token: string | undefined,
  { secret, now }: Pick<Proof, 'secret' | 'now'>,
): JsonObject | undefined {
  if (!token || token.length > MAX_TOKEN) return undefined;
  const [header = '', claims = '', signature, ...more] = token.split('.');
  const { alg, crit } = readPart(header) ?? {};
  if (more.length > 0 || alg !== 'HS256' || crit !== undefined) return undefined;
  const content = [`${header}.${claims}`];
  if (!isSigned({ algorithm: 'sha256', secret, content, signature, encoding: 'base64url' })) return undefined;
  const read = readPart(claims);
  const [expiry = Infinity, start = -Infinity] = [member(read, 'exp'), member(read, 'nbf')];
  if (typeof expiry !== 'number' || typeof start !== 'number') return undefined;
  const seconds = now / 1_000;
  return expiry + CLOCK_SECONDS < seconds || start - CLOCK_SECONDS > seconds ? undefined : read;
}

function readPart(part: string): JsonObject | undefined {
  try {
    const value = JSON.parse(Buffer.from(part, 'base64url').toString('utf8'));
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Returns whether a request is valid according to Standard Webhooks, with a `whsec_…` secret:
 * https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md.
 */
export function isStandardWebhook(
  { headers, body }: WebhookRequest,
  { secret, now }: Pick<Proof, 'secret' | 'now'>,
): boolean {
  const { 'webhook-id': id = '', 'webhook-timestamp': time, 'webhook-signature': signatures = '' } = headers;
  if (id === '' || !isRecent(time, now, 300)) return false;
  const signature = signatures.split(' ').flatMap((one) => (one.startsWith('v1,') ? [one.slice(3)] : []));
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
  return isSigned({
    algorithm: 'sha256',
    secret: key,
    content: [`${id}.${time}.`, body],
    signature,
    encoding: 'base64',
  });
}
