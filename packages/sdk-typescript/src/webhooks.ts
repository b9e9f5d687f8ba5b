import { type Approval } from './gen/models.js';

/** An event of a trigger, as Drawbridge posts it to the `callbackUrl`. Events arrive at least once: drop an `id` that you already know. */
export interface TriggerEvent<Payload = Record<string, unknown>> {
  type: 'trigger.event';
  id: string;
  triggerSourceId: string;
  integrationName: string;
  integrationAlias: string | null;
  triggerName: string;
  workspaceId: string;
  endUserId: string | null;
  simulate: boolean;
  callbackMetadata: Record<string, unknown>;
  payload: Payload;
  createdAt: string;
}

/** A change of an approval, as Drawbridge posts it to webhook approvers. */
export interface ApprovalEvent {
  event: `approval.${'requested' | 'approved' | 'rejected' | 'canceled' | 'expired' | 'notified'}`;
  createdAt: string;
  approval: Partial<Approval> & {
    api: { detailUrl: string; approveUrl: string; rejectUrl: string; cancelUrl: string } | null;
  };
  receipt: unknown;
}

/** The events that Drawbridge sends. `'type' in event` is true of an event of a trigger. */
export type WebhookEvent = TriggerEvent | ApprovalEvent;

/** A request as it arrived. The body must be exactly the bytes that were sent: a parsed and re-serialized one has another signature. */
export interface ReceivedWebhook {
  headers: Headers | Record<string, string | string[] | undefined>;
  body: string | Uint8Array;
}

export interface VerifyOptions {
  /** The `signingSecret` of the trigger, or the webhook secret of the organization; during a rotation both the new and the old one. */
  secret: string | readonly string[];
  /** The largest accepted difference, in seconds, between the timestamp of the request and the clock of this machine. Defaults to 300. */
  toleranceSeconds?: number;
}

/** The request is not from Drawbridge, or too old. Answer it with 401. */
export class WebhookVerificationError extends Error {
  override readonly name = 'WebhookVerificationError';
}

const TOLERANCE_SECONDS = 300;

/** Returns the event of a request with a valid signature. Throws WebhookVerificationError for any other request. */
export async function verifyWebhook(received: ReceivedWebhook, options: VerifyOptions): Promise<WebhookEvent> {
  const signed = readSignature(received);
  const { secret, toleranceSeconds = TOLERANCE_SECONDS } = options;
  const age = Math.abs(Date.now() / 1_000 - signed.timestamp);
  if (!(age <= toleranceSeconds))
    throw new WebhookVerificationError('The timestamp of the webhook is too old or too new');
  // Programs without types can pass an unset variable. It fails like an empty secret, with a message that says so.
  for (const one of Array.isArray(secret) ? secret : [String(secret ?? '')]) {
    if (await isSignedWith(one, signed)) return JSON.parse(text(received.body)) as WebhookEvent;
  }
  throw new WebhookVerificationError('No signature of the webhook is valid for the secret');
}

interface Signed {
  /** The signed bytes. */
  content: Uint8Array<ArrayBuffer>;
  timestamp: number;
  signatures: Uint8Array<ArrayBuffer>[];
  toKey(secret: string): Uint8Array<ArrayBuffer>;
}

/** Reads the headers of Standard Webhooks or, without them, `X-Svc-Signature`. */
function readSignature({ headers, body }: ReceivedWebhook): Signed {
  const header = (name: string): string => headerOf(headers, name);
  const [id, timestamp] = [header('webhook-id'), header('webhook-timestamp')];
  const standard = header('webhook-signature');
  if (standard !== '') {
    const values = standard.split(' ').filter((one) => one.startsWith('v1,'));
    const signatures = values.map((one) => fromBase64(one.slice(3)));
    return { content: bytes(`${id}.${timestamp}.`, body), timestamp: Number(timestamp), signatures, toKey: decodedKey };
  }
  const parts = header('x-svc-signature')
    .split(',')
    .map((part) => part.trim().split('=') as [string, string?]);
  const [, own = ''] = parts.find(([name]) => name === 't') ?? [];
  const signatures = parts.filter(([name]) => name === 'v1').map(([, hex = '']) => fromHex(hex));
  if (own === '') throw new WebhookVerificationError('The webhook has no signature');
  return { content: bytes(`${own}.`, body), timestamp: Number(own), signatures, toKey: textKey };
}

async function isSignedWith(secret: string, { content, signatures, toKey }: Signed): Promise<boolean> {
  const key = await crypto.subtle.importKey('raw', toKey(secret), HMAC, false, ['verify']);
  for (const one of signatures.filter(({ length }) => length === HMAC_BYTES).slice(0, MAX_SIGNATURES)) {
    // `verify` compares in constant time.
    if (await crypto.subtle.verify('HMAC', key, one, content)) return true;
  }
  return false;
}

/** Maximum number of signatures that are verified, because each one costs a hash of the whole body. Drawbridge sends two during a rotation. */
const MAX_SIGNATURES = 10;
const HMAC_BYTES = 32;
const HMAC = { name: 'HMAC', hash: 'SHA-256' };

/** The length of the key of a secret. A shorter key is an error, because anyone could sign with the empty key of an unset variable. */
const SECRET_BYTES = 32;

function decodedKey(secret: string): Uint8Array<ArrayBuffer> {
  const key = fromBase64(secret.replace(/^whsec_/, ''));
  if (key.length === SECRET_BYTES) return key;
  throw new TypeError(
    'A webhook secret is whsec_ and base64: copy the signingSecret of the trigger, or the webhook secret',
  );
}

/** The key of `X-Svc-Signature` is the text of the secret. */
function textKey(secret: string): Uint8Array<ArrayBuffer> {
  decodedKey(secret); // throws for a text that is no secret
  return bytes(secret);
}

function headerOf(headers: ReceivedWebhook['headers'], name: string): string {
  if (headers instanceof Headers) return headers.get(name) ?? '';
  const value = Object.entries(headers).find(([key]) => key.toLowerCase() === name)?.[1];
  return (Array.isArray(value) ? value[0] : value) ?? '';
}

/** Returns the bytes of all parts, in UTF-8. */
export function bytes(...parts: (string | Uint8Array)[]): Uint8Array<ArrayBuffer> {
  const encoded = parts.map((part) => (typeof part === 'string' ? new TextEncoder().encode(part) : part));
  const all = new Uint8Array(encoded.reduce((length, part) => length + part.length, 0));
  let offset = 0;
  for (const part of encoded) {
    all.set(part, offset);
    offset += part.length;
  }
  return all;
}

const text = (body: string | Uint8Array): string => (typeof body === 'string' ? body : new TextDecoder().decode(body));

/** Returns no bytes for text that is not base64, because such a signature is only invalid. */
function fromBase64(value: string): Uint8Array<ArrayBuffer> {
  try {
    return Uint8Array.from(atob(value), (character) => character.charCodeAt(0));
  } catch {
    return new Uint8Array();
  }
}

const fromHex = (hex: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(/^([0-9a-f]{2})+$/.test(hex) ? hex.match(/../g)! : [], (pair) => parseInt(pair, 16));
