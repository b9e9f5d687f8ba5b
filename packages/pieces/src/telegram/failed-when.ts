import { type JsonValue, member, scalarAt, type StatedFailure, textAt } from '@drawbridge/piece-kit';

/** A failure has `ok: false`, and optionally the seconds to wait: https://core.telegram.org/bots/api#making-requests */
export function failedWhen(body: JsonValue): StatedFailure | undefined {
  if (member(body, 'ok') !== false) return undefined;
  const seconds = Number(scalarAt(body, 'parameters', 'retry_after'));
  return {
    code: scalarAt(body, 'error_code'),
    message: textAt(body, 'description'),
    ...(seconds > 0 && { retryAfter: seconds }),
  };
}
