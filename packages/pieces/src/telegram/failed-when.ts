import { type JsonValue, member, scalarAt, type StatedFailure, textAt } from '@drawbridge/piece-kit';

/** https://core.telegram.org/bots/api#making-requests: a failure has `ok: false`, and perhaps the seconds to wait. */
export function failedWhen(body: JsonValue): StatedFailure | undefined {
  if (member(body, 'ok') !== false) return undefined;
  const seconds = Number(scalarAt(body, 'parameters', 'retry_after'));
  return {
    code: scalarAt(body, 'error_code'),
    message: textAt(body, 'description'),
    ...(seconds > 0 && { retryAfter: seconds }),
  };
}
