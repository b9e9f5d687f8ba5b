import { graphqlFailure, type JsonValue, type StatedFailure, textAt } from '@drawbridge/piece-kit';

/** Reads failures as https://developer.monday.com/api-reference/docs/errors describes them, and the older form, which has no list. */
export function failedWhen(body: JsonValue): StatedFailure | undefined {
  const code = textAt(body, 'error_code');
  return graphqlFailure(body) ?? (code ? { code, message: textAt(body, 'error_message') } : undefined);
}
