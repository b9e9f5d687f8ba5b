import { type JsonValue, type StatedFailure, textAt } from '@drawbridge/piece-kit';

/** SendGrid has no error codes. This code marks failures that mean an invalid key. */
export const REFUSED_KEY = 'unauthorized';

/**
 * Recognizes a refused key by its message, because SendGrid also responds with 401 when the account has no credits left:
 * https://github.com/sendgrid/sendgrid-nodejs/issues/1032.
 */
export function failedWhen(body: JsonValue): StatedFailure | undefined {
  const message = textAt(body, 'errors', 0, 'message');
  return message && /\bauthorization\b/i.test(message) ? { code: REFUSED_KEY } : undefined;
}
