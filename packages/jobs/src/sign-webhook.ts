import { createHmac, randomBytes } from 'node:crypto';

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

  const standard = secrets.map((secret) => `v1,${hmac(keyOf(secret), `${id}.${timestamp}.${body}`, 'base64')}`);
  // The key is the whole secret including `whsec_`, as in the scheme of Stripe that this header follows (docs.stripe.com/webhooks).
  const own = secrets.map((secret) => `v1=${hmac(secret, `${timestamp}.${body}`, 'hex')}`);
  return {
    ...identity,
    'webhook-signature': standard.join(' '),
    'x-svc-timestamp': `${timestamp}`,
    'x-svc-signature': [`t=${timestamp}`, ...own].join(','),
  };
}

function keyOf(secret: string): Buffer {
  const key = Buffer.from(secret.slice(PREFIX.length), 'base64');
  if (!secret.startsWith(PREFIX) || key.length !== 32)
    throw new Error('The webhook secret must be whsec_ followed by 32 bytes in base64');
  return key;
}

function hmac(key: string | Buffer, text: string, encoding: 'base64' | 'hex'): string {
  return createHmac('sha256', key).update(text).digest(encoding);
}
