import { textAt, type JsonValue, type StatedFailure } from '@drawbridge/piece-kit';

const LIMITS = ['rateLimitExceeded', 'userRateLimitExceeded'];

/** Reads Google's error code: https://cloud.google.com/apis/design/errors. Drive answers 403 for a rate limit. */
export function failedWhen(body: JsonValue): StatedFailure | undefined {
  const reason = textAt(body, 'error', 'errors', 0, 'reason');
  const code = textAt(body, 'error', 'status') ?? reason;
  if (!code) return undefined;
  return { code, message: textAt(body, 'error', 'message'), ...(LIMITS.includes(reason ?? '') && { retryable: true }) };
}
