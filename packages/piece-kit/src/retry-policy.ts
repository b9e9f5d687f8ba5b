import { setTimeout as sleep } from 'node:timers/promises';
import { type Answer, type Send, type SendRequest } from './answer.js';

/** Together, of all that one run asks: its caller waits as well. */
const MAX_WAIT_SECONDS = 30;
/** Of one request. */
const MAX_REPEATS = 2;
const BUSY = new Set([429, 503]);
/** Methods that change nothing: RFC 9110, 9.2.1. */
const SAFE = new Set(['GET', 'HEAD', 'OPTIONS']);

export interface PatienceOptions {
  /** Whatever is asked may be asked twice; else only what reads. */
  isIdempotent?: boolean;
  /** What has this header may be asked twice, too. */
  idempotencyHeader?: string;
  /** What is left of the run. */
  limitMs?: number;
}

/** Returns the milliseconds until a request with this response can be retried, or undefined if it cannot, or if the wait is too long. */
type Patience = (request: SendRequest, answer: Answer, repeats: number) => number | undefined;

/**
 * When to ask a third party again that says it is busy, and until when: what it doesn't say is not guessed. Its answers alone
 * decide, so that a run that is gone through again with the same answers asks the same again.
 */
export function patience({ isIdempotent, idempotencyHeader, limitMs = Infinity }: PatienceOptions): Patience {
  const mayRepeat = ({ method, headers }: SendRequest): boolean =>
    isIdempotent || SAFE.has(method.toUpperCase()) || (!!idempotencyHeader && !!headers?.[idempotencyHeader]);
  const endsAt = performance.now() + limitMs;
  let left = MAX_WAIT_SECONDS;
  return (request, answer, repeats) => {
    if (repeats >= MAX_REPEATS || !BUSY.has(answer.status) || !mayRepeat(request)) return undefined;
    const seconds = retryAfter(answer);
    if (seconds === undefined || seconds > left || performance.now() + seconds * 1000 >= endsAt) return undefined;
    left -= seconds;
    return seconds * 1000;
  };
}

/** Wraps `send` to wait `delayMs` before the request. Rejects without sending if the signal aborts first. */
export function delayed(send: Send): Send {
  return async ({ delayMs, ...request }) => {
    if (delayMs) await sleep(delayMs, undefined, { signal: request.signal });
    return send(request);
  };
}

/**
 * Returns Retry-After in seconds (RFC 9110, section 10.2.3); undefined if it is absent or invalid. A date is relative to the response's own
 * Date header, because the clocks may differ.
 */
export function retryAfter({ headers }: Answer): number | undefined {
  const value = headers['retry-after'];
  if (value === undefined) return undefined;

  const now = Date.parse(headers['date'] ?? '') || Date.now();
  if (/^\d+$/.test(value)) return toSeconds(Number(value));
  // A valid date begins with its weekday. JavaScript parses more: -1, and 1.5 as a day in 2001.
  return /^[A-Z]/i.test(value) ? toSeconds(Math.ceil((Date.parse(value) - now) / 1000)) : undefined;
}

function toSeconds(seconds: number): number | undefined {
  return Number.isSafeInteger(seconds) ? Math.max(0, seconds) : undefined;
}
