import { listAt, member, textAt, type JsonValue, type StatedFailure } from '@drawbridge/piece-kit';

const BUSY = ['ratelimited', 'internal_error', 'fatal_error', 'service_unavailable', 'request_timeout'];

/** Slack answers failures with status 200: https://docs.slack.dev/apis/web-api/#evaluating-responses */
export function failedWhen(body: JsonValue): StatedFailure | undefined {
  if (member(body, 'ok') !== false) return undefined;

  const code = textAt(body, 'error') ?? 'unknown_error';
  const needed = textAt(body, 'needed');
  const reasons = [needed && `needs the scope ${needed}`, ...listAt(body, 'response_metadata', 'messages')];
  const message = [code, ...reasons.filter(Boolean)].join(': ');
  return { code, message, ...(BUSY.includes(code) && { retryable: true }) };
}
