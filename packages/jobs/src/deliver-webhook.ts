import { EgressError, type Send } from '@drawbridge/egress';
import { JobFailure } from './job-failure.js';
import { judgeDelivery, type DeliveryResult } from './judge-delivery.js';

const TIMEOUT_MS = 15_000;
/** Maximum size of a response. It is low because many responses are read at the same time, and only the status matters. */
const MAX_BYTES = 1024 * 1024;

export interface WebhookDelivery {
  send: Send;
  url: string;
  /** The JSON body, sent exactly as signed. */
  body: string;
  /** Additional headers. The content type and signature headers override headers of the same name. */
  headers: Record<string, string>;
  /** The signature headers of this attempt. The service that stores the secrets creates them with `signWebhook`. */
  signature: Record<string, string>;
  /** Cancels the request when the lease of its job is lost, because another process then sends it again. */
  signal?: AbortSignal;
}

export interface TimedResult extends DeliveryResult {
  /** The time that the receiver took. */
  tookMs: number;
}

/**
 * Makes one delivery attempt: a signed POST that follows no redirect and times out after 15 s. Returns the outcome, even if the receiver is
 * unreachable or its address is denied. Throws only if a Drawbridge service fails or `signal` aborts.
 */
export async function deliverWebhook(delivery: WebhookDelivery): Promise<TimedResult> {
  const { send, url, body, headers, signature, signal } = delivery;
  const request = {
    method: 'POST',
    url,
    headers: { ...headers, 'content-type': 'application/json', ...signature },
    body,
    timeoutMs: TIMEOUT_MS,
    maxBytes: MAX_BYTES,
    // Only the status matters: a receiver that responded with 2xx has the event and must not receive it twice.
    headOnly: true,
    maxRedirects: 0,
    signal,
  };
  const begunAt = performance.now();
  const timed = (result: DeliveryResult): TimedResult => ({ ...result, tookMs: performance.now() - begunAt });
  try {
    return timed(judgeDelivery(await send(request)));
  } catch (error) {
    signal?.throwIfAborted();
    if (!(error instanceof EgressError)) throw error;
    return timed({ result: 'failed', httpStatus: null, errorMessage: error.message, retryAfterMs: 0 });
  }
}

/** Throws a JobFailure that retries the job, or ends it if the receiver is gone. Call it at the end of a task, after the attempt is recorded. */
export function requireDelivered({ result, errorMessage, retryAfterMs }: DeliveryResult): void {
  if (result === 'delivered') return;
  throw new JobFailure(errorMessage ?? result, { retryAfterMs, isFinal: result === 'gone' });
}
