import { setTimeout as sleep } from 'node:timers/promises';
import { type Send, type SendRequest } from './answer.js';

/** Maximum waiting time for the retries of all requests of a run together, because the caller of the run waits as well. */
const MAX_WAIT_SECONDS = 30;
/** Maximum number of retries of one request. */
const MAX_REPEATS = 2;
/** Methods that change nothing (RFC 9110, section 9.2.1). */
const SAFE = new Set(['GET', 'HEAD', 'OPTIONS']);

export interface RetryOptions {
  /** Set if every request can be repeated. Default: requests that read, and requests with an idempotency key. */
  isIdempotent?: boolean;
  /** The name of the header for the idempotency key. */
  idempotencyHeader?: string;
  /** The remaining time of the run in milliseconds. A request is not repeated if the waiting time would exceed it. */
  limitMs?: number;
}

/** A failed request. */
interface Failed {
  request: SendRequest;
  /** Set if the same request may succeed later, after a rate limit or an outage. */
  isBusy: boolean;
  /** The waiting time in seconds, if it is known. */
  waitSeconds: number | undefined;
  /** The number of times the request has been repeated. */
  repeats: number;
}

/**
 * Returns the milliseconds until a request can be repeated, or undefined if it cannot be repeated or the waiting time is too long. Depends only on
 * the responses, so that a repeated run with the same responses sends the same requests.
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

/** Wraps `send` to wait `delayMs` before the request. Rejects without sending the request if the signal aborts during the delay. */
export function delayed(send: Send): Send {
  return async ({ delayMs, ...request }) => {
    if (delayMs) await sleep(delayMs, undefined, { signal: request.signal });
    return send(request);
  };
}
