import { createHmac, createSecretKey, type KeyObject, randomBytes } from 'node:crypto';

const PREFIX = 'whsec_';

export interface WebhookMessage {
  /** The id of the message. It is the same in every attempt, so that receivers can discard duplicates. Must not contain a dot. */
  id: string;
  /** The time of this attempt, in Unix seconds. */
  timestamp: number;
  /** The body exactly as sent. */
  body: string;
  /**
   * The secrets, newest first. There are several during the rotation of a secret, and the receiver can verify with any of them. If the list is empty,
   * the delivery is not signed.
   */
  secrets: readonly string[];
}

/** Returns `whsec_` followed by 32 random bytes in base64. */
export function newWebhookSecret(): string {
  return PREFIX + randomBytes(32).toString('base64');
}

/**
 * Returns the signature headers of a delivery in two forms: Standard Webhooks
 * (https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md) and `X-Svc-Signature: t=<timestamp>,v1=<hex>`. Throws
 * if a secret has the wrong format, so that no weak key is used.
 */
export function signWebhook({ id, timestamp, body, secrets }: WebhookMessage): Record<string, string> {
  const identity = { 'webhook-id': id, 'webhook-timestamp': `${timestamp}` };
  if (secrets.length === 0) return identity;

  const keys = secrets.map(keysOf);
  const standard = keys.map((key) => `v1,${hmac(key.standard, `${id}.${timestamp}.${body}`, 'base64')}`);
  const own = keys.map((key) => `v1=${hmac(key.own, `${timestamp}.${body}`, 'hex')}`);
  return {
    ...identity,
    'webhook-signature': standard.join(' '),
    'x-svc-timestamp': `${timestamp}`,
    'x-svc-signature': [`t=${timestamp}`, ...own].join(','),
  };
}

/** The keys of a secret for the two forms of signatures. */
interface Keys {
  standard: KeyObject;
  /** The whole secret including `whsec_`, as in the scheme of Stripe that `X-Svc-Signature` follows (docs.stripe.com/webhooks). */
  own: KeyObject;
}

/** Keys by secret. They are kept for at most a second, because creating a key takes several times as long as signing with it. */
const kept = new Map<string, Keys>();
const KEPT_MS = 1_000;
const MAX_KEPT = 1_000;

function keysOf(secret: string): Keys {
  const known = kept.get(secret);
  if (known) return known;
  const bytes = Buffer.from(secret.slice(PREFIX.length), 'base64');
  if (!secret.startsWith(PREFIX) || bytes.length !== 32)
    throw new Error('The webhook secret must be whsec_ followed by 32 bytes in base64');
  const keys = { standard: createSecretKey(bytes), own: createSecretKey(secret, 'utf8') };
  if (kept.size === 0) setTimeout(() => kept.clear(), KEPT_MS).unref();
  if (kept.size < MAX_KEPT) kept.set(secret, keys);
  return keys;
}

function hmac(key: KeyObject, text: string, encoding: 'base64' | 'hex'): string {
  return createHmac('sha256', key).update(text).digest(encoding);
}
