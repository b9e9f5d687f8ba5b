import { ApiError } from '@drawbridge/contracts';
import { MessageTooLarge } from './bus.js';

/** A broker's errors for a record batch that it never accepts. */
const TOO_LARGE = new Set(['MESSAGE_TOO_LARGE', 'RECORD_LIST_TOO_LARGE']);

interface Failure {
  name?: unknown;
  type?: unknown;
  cause?: unknown;
}

/** Classifies a failed publish: UNAVAILABLE if no broker answered, `MessageTooLarge`, or the broker's error, which may concern one partition only. */
export function toBusError(error: unknown): unknown {
  const answer = answerOf(error);
  if (typeof answer?.type === 'string' && TOO_LARGE.has(answer.type)) {
    return new MessageTooLarge('Kafka refused a record batch as too large', { cause: error });
  }
  const { name } = error as Failure;
  if (answer || typeof name !== 'string' || !name.startsWith('KafkaJS')) return error;
  return new ApiError('UNAVAILABLE', 'Kafka does not answer', { cause: error });
}

function answerOf(error: unknown): Failure | undefined {
  if (typeof error !== 'object' || error === null) return undefined;
  const failure: Failure = error;
  return failure.name === 'KafkaJSProtocolError' ? failure : answerOf(failure.cause);
}
