import type { OutgoingResponse } from '@drawbridge/egress';

const MAX_RETRY_AFTER_MS = 24 * 60 * 60 * 1_000;
const GONE = 410;

export interface DeliveryResult {
  /** `gone`: the receiver refuses further attempts. */
  result: 'delivered' | 'failed' | 'gone';
  /** Null without a response. */
  httpStatus: number | null;
  /** Null when delivered. Safe to show: never part of a response body. */
  errorMessage: string | null;
  /** The receiver's Retry-After, at most 24 h; 0 without one. */
  retryAfterMs: number;
}

/** Evaluates a receiver's response: 2xx is success, 410 ends the delivery, everything else, including 3xx, is a failure. */
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

/** Parses seconds or an HTTP date (RFC 9110 §10.2.3) into milliseconds from now. Invalid or past values count as absent. */
function readRetryAfter(text: string | undefined, now: number): number {
  if (text === undefined) return 0;
  const delay = /^\d+$/.test(text) ? Number(text) * 1_000 : Date.parse(text) - now;
  return delay > 0 ? Math.min(delay, MAX_RETRY_AFTER_MS) : 0;
}
