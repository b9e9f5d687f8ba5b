import { createHmac } from 'node:crypto';
import { UsageError } from './command.js';

/** A stored event of a trigger, and the URL of the local receiver that it is sent to. */
export interface Forwarded {
  url: string;
  triggerId: string;
  deliveryId: string;
  eventId: string;
  /** The body of the callback. */
  body: string;
  /** Without one the event is not signed. */
  secret?: string;
  signal: AbortSignal;
}

/** The time in which the receiver must respond. Drawbridge allows the receiver of a callback the same time. */
const TIMEOUT_MS = 15_000;
const SECRET = /^whsec_([A-Za-z0-9+/]{43}=)$/;

/** Returns the secret. Throws UsageError, without the value in its message, if the value is not a signing secret. */
export function requireSecret(text: string | undefined): string | undefined {
  if (!text || SECRET.test(text)) return text || undefined;
  throw new UsageError('SIGNING_SECRET must be the signing secret of a trigger: whsec_ and base64 of 32 bytes');
}

export type Outcome = { status: number | null; error: string | null };

/** Posts an event as Drawbridge posts a callback. Returns the HTTP status, or the error of the connection. Rejects only if the signal is aborted. */
export async function forwardEvent(event: Forwarded): Promise<Outcome> {
  const { url, body, signal } = event;
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: headersOf(event, Math.floor(Date.now() / 1_000)),
      body,
      redirect: 'manual',
      signal: AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]),
    });
    await response.body?.cancel();
    return { status: response.status, error: null };
  } catch (error) {
    signal.throwIfAborted();
    const { message, cause } = error as Error & { cause?: { message?: string; code?: string } };
    return { status: null, error: cause?.code || cause?.message || message };
  }
}

function headersOf(
  { triggerId, deliveryId, eventId, body, secret }: Forwarded,
  timestamp: number,
): Record<string, string> {
  const headers = {
    'content-type': 'application/json',
    'webhook-id': eventId,
    'webhook-timestamp': `${timestamp}`,
    'x-svc-trigger': triggerId,
    'x-svc-delivery': deliveryId,
    'x-svc-attempt': '1',
  };
  const [, encoded] = SECRET.exec(secret ?? '') ?? [];
  if (secret === undefined || encoded === undefined) return headers;
  const standard = createHmac('sha256', Buffer.from(encoded, 'base64')).update(`${eventId}.${timestamp}.${body}`);
  const own = createHmac('sha256', secret).update(`${timestamp}.${body}`);
  return {
    ...headers,
    'webhook-signature': `v1,${standard.digest('base64')}`,
    'x-svc-timestamp': `${timestamp}`,
    'x-svc-signature': `t=${timestamp},v1=${own.digest('hex')}`,
  };
}
