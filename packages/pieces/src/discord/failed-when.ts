import { type JsonValue, listAt, type StatedFailure, textAt } from '@drawbridge/piece-kit';

/** Adds the field to the message of an invalid form: https://docs.discord.com/developers/reference#error-messages */
export function failedWhen(body: JsonValue): StatedFailure | undefined {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return undefined;
  const [message, reason] = [textAt(body, 'message'), firstReason(body['errors'])];
  return message && reason ? { message: `${message}: ${reason}` } : undefined;
}

/** Returns the first error in nested fields, such as `embeds.0.title: This field is required`. */
function firstReason(errors: JsonValue | undefined, path: readonly string[] = []): string | undefined {
  if (typeof errors !== 'object' || errors === null || Array.isArray(errors)) return undefined;
  const message = textAt(listAt(errors, '_errors'), 0, 'message');
  if (message) return [path.join('.'), message].filter(Boolean).join(': ');
  for (const [key, inner] of Object.entries(errors)) {
    const reason = firstReason(inner, [...path, key]);
    if (reason) return reason;
  }
  return undefined;
}
