import type { OutgoingResponse } from '@drawbridge/egress';

const MAX_RETRY_AFTER_MS = 24 * 60 * 60 * 1_000;
const GONE = 410;

export interface DeliveryResult {
  /** `gone`: the receiver wants no further attempt. */
  result: 'delivered' | 'failed' | 'gone';
  /** Null when there was no answer. */
  httpStatus: number | null;
  /** Null when delivered. Fit to be shown: never part of an answer's body. */
  errorMessage: string | null;
  /** What the receiver asked for, at most 24 h; 0 when it did not. */
  retryAfterMs: number;
}

/** What a receiver's answer means: 2xx is success, 410 ends the delivery, all else, 3xx too, is a failure. */
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

/** Seconds or an HTTP date (RFC 9110 §10.2.3), as milliseconds from now. What is unreadable or past counts as absent. */
function readRetryAfter(text: string | undefined, now: number): number {
  if (text === undefined) return 0;
  const delay = /^\d+$/.test(text) ? Number(text) * 1_000 : Date.parse(text) - now;
  return delay > 0 ? Math.min(delay, MAX_RETRY_AFTER_MS) : 0;
}
