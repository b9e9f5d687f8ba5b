import { EgressError, type Send } from '@drawbridge/egress';
import { JobFailure } from './job-failure.js';
import { judgeDelivery, type DeliveryResult } from './judge-delivery.js';

const TIMEOUT_MS = 15_000;
/** Of an answer, of which the status alone counts: many are read at once. */
const MAX_BYTES = 1024 * 1024;

export interface WebhookDelivery {
  send: Send;
  url: string;
  /** JSON. Sent as it is, as it was signed. */
  body: string;
  /** Beside content type and signature, which win over equal names. */
  headers: Record<string, string>;
  /** The headers that prove who sends it, made for this attempt by whoever has the secrets: see `signWebhook`. */
  signature: Record<string, string>;
}

/**
 * One attempt to deliver: a signed POST that follows no redirect and ends after 15 s. Returns how it went, also when the
 * receiver could not be reached or its address is refused; throws only what is our own fault.
 */
export async function deliverWebhook(delivery: WebhookDelivery): Promise<DeliveryResult> {
  const { send, url, body, headers, signature } = delivery;
  const request = {
    method: 'POST',
    url,
    headers: { ...headers, 'content-type': 'application/json', ...signature },
    body,
    timeoutMs: TIMEOUT_MS,
    maxBytes: MAX_BYTES,
    // What the contract goes by is the status: whoever answered 2xx has it, and is not told again.
    headOnly: true,
    maxRedirects: 0,
  };
  try {
    return judgeDelivery(await send(request));
  } catch (error) {
    if (!(error instanceof EgressError)) throw error;
    return { result: 'failed', httpStatus: null, errorMessage: error.message, retryAfterMs: 0 };
  }
}

/** For the end of a task, once the attempt is recorded: throws the JobFailure that retries the job, or ends it when gone. */
export function requireDelivered({ result, errorMessage, retryAfterMs }: DeliveryResult): void {
  if (result === 'delivered') return;
  throw new JobFailure(errorMessage ?? result, { retryAfterMs, isFinal: result === 'gone' });
}
