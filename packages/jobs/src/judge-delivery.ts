import type { OutgoingResponse } from '@drawbridge/egress';

const MAX_RETRY_AFTER_MS = 24 * 60 * 60 * 1_000;
const GONE = 410;

export interface DeliveryResult {
  /** `gone` means that the receiver rejects further attempts. */
  result: 'delivered' | 'failed' | 'gone';
  /** Null if there was no response. */
  httpStatus: number | null;
  /** Null if the event was delivered. The message is safe to display, because it never contains a part of a response body. */
  errorMessage: string | null;
  /** The receiver's Retry-After in milliseconds, at most 24 h; 0 if absent. */
  retryAfterMs: number;
}

/** Evaluates a receiver's response: 2xx is success, 410 ends the delivery, and any other status, including 3xx, is a failure. */
export function judgeDelivery(
  { status, headers }: Pick<OutgoingResponse, 'status' | 'headers'>,
  now = Date.now(),
): DeliveryResult {
  if (status >= 200 && status <= 299) {
    return { result: 'delivered', httpStatus: status, errorMessage: null, retryAfterMs: 0 };
  }
  return {
    result: status === GONE ? 'gone' : 'failed',
    httpStatus: status,
    errorMessage: `The receiver answered ${status}`,
    retryAfterMs: readRetryAfter(headers['retry-after'], now),
  };
}

/** Parses seconds or an HTTP date (RFC 9110 §10.2.3) into milliseconds from now. Invalid and past values count as absent. */
function readRetryAfter(text: string | undefined, now: number): number {
  if (text === undefined) return 0;
  const delay = /^\d+$/.test(text) ? Number(text) * 1_000 : Date.parse(text) - now;
  return delay > 0 ? Math.min(delay, MAX_RETRY_AFTER_MS) : 0;
}
