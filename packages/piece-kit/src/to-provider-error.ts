import type { JsonValue } from './json.js';
import { ProviderError } from './provider-error.js';
import { readBody } from './read-body.js';
import type { Answer } from './send.js';

/** What an answer that is no success says, with the provider's own message and code where it gave them. */
export function toProviderError(answer: Answer): ProviderError {
  const { message, code } = readFailure(readBody(answer));
  const limited = isRateLimit(answer);
  return new ProviderError(message ?? `The provider answered ${answer.status}`, {
    status: answer.status,
    code,
    retryable: limited || [408, 500, 502, 503, 504].includes(answer.status),
    retryAfter: retryAfter(answer),
    answeredBy: new URL(answer.url).origin,
  });
}

/** GitHub answers a limit with 403 too: docs.github.com/rest/using-the-rest-api/rate-limits-for-the-rest-api. */
export function isRateLimit({ status, headers }: Answer): boolean {
  const exhausted = headers['retry-after'] !== undefined || headers['x-ratelimit-remaining'] === '0';
  return status === 429 || (status === 403 && exhausted);
}

/** Retry-After in seconds or as a date (RFC 9110, 10.2.3). */
function retryAfter({ headers }: Answer): number | undefined {
  const value = headers['retry-after'];
  if (value === undefined) return undefined;

  const seconds = /^\d+$/.test(value) ? Number(value) : Math.ceil((Date.parse(value) - Date.now()) / 1000);
  return Number.isSafeInteger(seconds) ? Math.max(0, seconds) : undefined;
}

interface Failure {
  message?: string;
  code?: string;
}

/** Reads the usual shapes: `{message, code}`, `{error: {message, code|type}}`, `{error, error_description}`, `{errors: […]}`, plain text. */
function readFailure(body: JsonValue | Uint8Array): Failure {
  if (typeof body === 'string') return body.startsWith('<') ? {} : { message: body };

  const failure = member(body, 'error', 'message') === undefined ? body : member(body, 'error');
  const first = member(body, 'errors', 0);
  const message = firstText(
    ...['message', 'error_description', 'detail', 'error', 'title'].map((key) => member(failure, key)),
    member(first, 'message'),
    first,
  );
  const code = firstText(
    ...['code', 'type'].map((key) => member(failure, key)),
    member(body, 'error'),
    member(first, 'code'),
  );
  return { message: withField(message, first), code };
}

/** GitHub's "Validation Failed" says which field in its list of errors alone. */
function withField(message: string | undefined, first: unknown): string | undefined {
  const field = firstText(member(first, 'field'));
  const reason = firstText(member(first, 'message'), member(first, 'code'));
  return message && field && reason ? `${message}: ${field} ${reason}` : message;
}

function member(value: unknown, ...path: (string | number)[]): unknown {
  const [key, ...rest] = path;
  if (key === undefined) return value;
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined;
  return member(Reflect.get(value, key), ...rest);
}

function firstText(...candidates: unknown[]): string | undefined {
  const found = candidates.find((value) => (typeof value === 'string' && value !== '') || typeof value === 'number');
  return found === undefined ? undefined : String(found);
}
