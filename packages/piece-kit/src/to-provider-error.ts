import type { JsonValue } from './json.js';
import { member } from './member.js';
import { ProviderError, type ProviderFailure } from './provider-error.js';
import { readBody } from './read-body.js';
import { retryAfter } from './retry-after.js';
import type { Answer } from './send.js';

/** A failure as a piece reads it in a body. What it leaves out the status and the headers say. */
export interface StatedFailure extends Pick<ProviderFailure, 'code' | 'retryable' | 'retryAfter'> {
  message?: string;
}

/** What an answer that is no success says, with the provider's own message and code where it gave them; `stated` knows better. */
export function toProviderError(answer: Answer, stated: StatedFailure = {}): ProviderError {
  const { message, code } = { ...readFailure(readBody(answer)), ...given(stated) };
  const limited = isRateLimit(answer);
  return new ProviderError(message ?? `The provider answered ${answer.status}`, {
    status: answer.status,
    code,
    retryable: stated.retryable ?? (limited || [408, 500, 502, 503, 504].includes(answer.status)),
    retryAfter: stated.retryAfter ?? retryAfter(answer),
    answeredBy: new URL(answer.url).origin,
  });
}

const given = ({ message, code }: Failure): Failure => ({ ...(message && { message }), ...(code && { code }) });

/** GitHub answers a limit with 403 too: docs.github.com/rest/using-the-rest-api/rate-limits-for-the-rest-api. */
export function isRateLimit({ status, headers }: Answer): boolean {
  const exhausted = headers['retry-after'] !== undefined || headers['x-ratelimit-remaining'] === '0';
  return status === 429 || (status === 403 && exhausted);
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

function firstText(...candidates: unknown[]): string | undefined {
  const found = candidates.find((value) => (typeof value === 'string' && value !== '') || typeof value === 'number');
  return found === undefined ? undefined : String(found);
}
