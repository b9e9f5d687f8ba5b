import { type Answer, readBody, scalarAt } from './answer.js';
import { type Refusal } from './piece.js';

/**
 * Describes how a provider reports that a rate limit was reached, and how long to wait. Retry-After is always evaluated (RFC 9110, section 10.2.3).
 */
export interface RateLimit {
  /** The responses that report a rate limit, in addition to a 429, and a 403 with Retry-After or without remaining requests. */
  when?: readonly Refusal[];
  /**
   * The responses that report no rate limit although `when` or the default includes them, such as a 429 for an account without credit, or a 403 of a
   * provider that always sends its remaining quota.
   */
  except?: readonly Refusal[];
  /**
   * The locations of the waiting time in a response that reports a rate limit. The first valid value counts. A 503 means an outage, unless `when`
   * contains it.
   */
  wait?: readonly Wait[];
  /** The seconds to wait if a response does not state a waiting time. If absent, the request is not repeated. */
  seconds?: number;
}

/** The name of a header, or a dotted path in the JSON body. */
export type Wait = ({ header: string; body?: undefined } | { body: string; header?: undefined }) & {
  /** `time` is in seconds since 1970, or in milliseconds if the value is large. `duration` is a string such as `6m0s`. Default: `seconds`. */
  as?: 'seconds' | 'milliseconds' | 'time' | 'duration';
};

/**
 * Returns whether a response reports a rate limit. GitHub also uses 403 for rate limits:
 * docs.github.com/rest/using-the-rest-api/rate-limits-for-the-rest-api.
 */
export function isRateLimit({ status, headers }: Pick<Answer, 'status' | 'headers'>): boolean {
  const exhausted = headers['retry-after'] !== undefined || headers['x-ratelimit-remaining'] === '0';
  return status === 429 || (status === 403 && exhausted);
}

/** Returns whether the same request may succeed later, after a rate limit or an outage. `code` is the error code of the provider. */
export function isBusy(answer: Answer, code: string | undefined, rateLimit: RateLimit = {}): boolean {
  const { except = [] } = rateLimit;
  if (except.some((one) => matches(one, answer.status, code))) return false;
  return answer.status === 503 || isLimit(answer, code, rateLimit);
}

function isLimit(answer: Answer, code: string | undefined, { when = [], except = [] }: RateLimit = {}): boolean {
  if (except.some((one) => matches(one, answer.status, code))) return false;
  return isRateLimit(answer) || when.some((one) => matches(one, answer.status, code));
}

/** Returns whether a failure has the status and the code of `wanted`. An absent property matches any value. */
export function matches(wanted: Refusal, status: number | undefined, code: string | undefined): boolean {
  return (
    (wanted.status === undefined || wanted.status === status) && (wanted.code === undefined || wanted.code === code)
  );
}

/**
 * Returns the seconds to wait after a limit or an outage, or undefined if the response does not state them and there is no default. Some providers
 * send the header with the waiting time of a limit in each response. It is ignored during an outage, because it does not state how long the outage
 * lasts.
 */
export function waitOf(answer: Answer, code?: string, rateLimit: RateLimit = {}): number | undefined {
  const stated = retryAfter(answer);
  if (stated !== undefined) return stated;
  const { wait = [], seconds } = rateLimit;
  for (const { header, body, as = 'seconds' } of isLimit(answer, code, rateLimit) ? wait : []) {
    const value = header === undefined ? scalarAt(readBody(answer), ...body.split('.')) : answer.headers[header];
    const found = toSeconds(READ[as](value ?? '', answer));
    if (found !== undefined) return found;
  }
  return seconds;
}

/**
 * Returns Retry-After in seconds, or undefined if it is absent or invalid. Some providers send decimals. A date is evaluated relative to the Date
 * header of the response, because the clocks may differ.
 */
export function retryAfter(answer: Answer): number | undefined {
  const value = answer.headers['retry-after'];
  if (value === undefined) return undefined;
  // A valid date begins with its weekday. JavaScript would also parse -1, and 1.5 as a day in 2001.
  const seconds = /^[A-Z]/i.test(value) ? (Date.parse(value) - nowOf(answer)) / 1_000 : toNumber(value);
  return toSeconds(seconds);
}

const READ: Record<NonNullable<Wait['as']>, (value: string, answer: Answer) => number> = {
  seconds: toNumber,
  milliseconds: (value) => toNumber(value) / 1_000,
  time: (value, answer) => toEpochSeconds(toNumber(value)) - nowOf(answer) / 1_000,
  duration: (value) => {
    const [whole, hours = 0, minutes = 0, seconds = 0, milliseconds = 0] = DURATION.exec(value) ?? [];
    return whole ? Number(hours) * 3_600 + Number(minutes) * 60 + Number(seconds) + Number(milliseconds) / 1_000 : NaN;
  },
};

const DURATION = /^(?:(\d{1,6})h)?(?:(\d{1,6})m)?(?:(\d{1,6}(?:\.\d{1,9})?)s)?(?:(\d{1,9})ms)?$/;

/** A larger time is in milliseconds. The value is the year 5138 in seconds, and 1973 in milliseconds. */
const MAX_EPOCH_SECONDS = 1e11;

const toEpochSeconds = (time: number): number => (time > MAX_EPOCH_SECONDS ? time / 1_000 : time);

const nowOf = ({ headers }: Answer): number => Date.parse(headers['date'] ?? '') || Date.now();

function toNumber(value: string): number {
  return /^\d{1,15}(\.\d{1,9})?$/.test(value) ? Number(value) : NaN;
}

/** Rounds up to milliseconds. Returns 0 for a time in the past. */
function toSeconds(seconds: number): number | undefined {
  return Number.isFinite(seconds) ? Math.max(0, Math.ceil(seconds * 1_000) / 1_000) : undefined;
}
