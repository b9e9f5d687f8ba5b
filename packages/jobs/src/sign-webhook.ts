import { createHmac, randomBytes } from 'node:crypto';

const PREFIX = 'whsec_';

export interface WebhookMessage {
  /** The same in every attempt, so that receivers can drop duplicates. Must not contain a dot. */
  id: string;
  /** The time of this attempt, in Unix seconds. */
  timestamp: number;
  /** Exactly as sent. */
  body: string;
  /** Newest first. Several during the rotation of a secret: any one verifies. Empty: the delivery is not signed. */
  secrets: readonly string[];
}

/** Returns `whsec_` and base64 of 32 random bytes. */
export function newWebhookSecret(): string {
  return PREFIX + randomBytes(32).toString('base64');
}

/**
 * Returns the signature headers of a delivery in two forms: Standard Webhooks
 * (https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md) and `X-Svc-Signature: t=<timestamp>,v1=<hex>`. Throws
 * if a secret has the wrong format: a weak key must not sign.
 */
export function signWebhook({ id, timestamp, body, secrets }: WebhookMessage): Record<string, string> {
  const identity = { 'webhook-id': id, 'webhook-timestamp': `${timestamp}` };
  if (secrets.length === 0) return identity;

  const standard = secrets.map((secret) => `v1,${hmac(keyOf(secret), `${id}.${timestamp}.${body}`, 'base64')}`);
  // Spec silent: the key is the secret as shown, including whsec_, as in the scheme that this form follows (docs.stripe.com/webhooks).
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
