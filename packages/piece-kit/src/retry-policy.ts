import { setTimeout as sleep } from 'node:timers/promises';
import { type Send, type SendRequest } from './answer.js';

/** The longest wait for retries, of all requests of a run together: the caller of the run waits as well. */
const MAX_WAIT_SECONDS = 30;
/** The largest number of retries of one request. */
const MAX_REPEATS = 2;
/** Methods that change nothing (RFC 9110, section 9.2.1). */
const SAFE = new Set(['GET', 'HEAD', 'OPTIONS']);

export interface RetryOptions {
  /** Every request can be repeated. Absent: requests that read, and those with an idempotency key. */
  isIdempotent?: boolean;
  /** The header of the idempotency key. */
  idempotencyHeader?: string;
  /** The milliseconds that are left of the run. A request is not repeated if the wait would exceed them. */
  limitMs?: number;
}

/** A failed request. */
interface Failed {
  request: SendRequest;
  /** The provider accepts the same request later. */
  isBusy: boolean;
  /** The seconds until then, if they are known. */
  waitSeconds: number | undefined;
  /** How often the request has been repeated. */
  repeats: number;
}

/**
 * Returns the milliseconds until a request can be repeated; undefined if it cannot, or if the wait is too long. Only the responses decide, so that a
 * run that is repeated with the same responses sends the same requests.
 */
export function retryPolicy({
  isIdempotent,
  idempotencyHeader,
  limitMs = Infinity,
}: RetryOptions): (failed: Failed) => number | undefined {
  const mayRepeat = ({ method, headers }: SendRequest): boolean =>
    isIdempotent || SAFE.has(method.toUpperCase()) || (!!idempotencyHeader && !!headers?.[idempotencyHeader]);
  const endsAt = performance.now() + limitMs;
  let left = MAX_WAIT_SECONDS;
  return ({ request, isBusy, waitSeconds, repeats }) => {
    if (repeats >= MAX_REPEATS || !isBusy || !mayRepeat(request)) return undefined;
    if (waitSeconds === undefined || waitSeconds > left || performance.now() + waitSeconds * 1_000 >= endsAt)
      return undefined;
    left -= waitSeconds;
    return Math.round(waitSeconds * 1_000);
  };
}

/** Wraps `send` to wait `delayMs` before the request. Rejects without sending if the signal aborts first. */
export function delayed(send: Send): Send {
  return async ({ delayMs, ...request }) => {
    if (delayMs) await sleep(delayMs, undefined, { signal: request.signal });
    return send(request);
  };
}
