import type { Answer } from './send.js';

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
