import type { Answer } from './send.js';

/**
 * Retry-After in seconds (RFC 9110, 10.2.3), undefined for none and for nonsense. A date counts from the answer's own: by another
 * clock it may be long past, or far away.
 */
export function retryAfter({ headers }: Answer): number | undefined {
  const value = headers['retry-after'];
  if (value === undefined) return undefined;

  const now = Date.parse(headers['date'] ?? '') || Date.now();
  if (/^\d+$/.test(value)) return toSeconds(Number(value));
  // A date begins with its day. JavaScript takes far more for one: -1, and 1.5 for a day in 2001.
  return /^[A-Z]/i.test(value) ? toSeconds(Math.ceil((Date.parse(value) - now) / 1000)) : undefined;
}

function toSeconds(seconds: number): number | undefined {
  return Number.isSafeInteger(seconds) ? Math.max(0, seconds) : undefined;
}
