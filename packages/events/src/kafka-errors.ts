import { ApiError } from '@drawbridge/contracts';
import { MessageTooLarge } from './bus.js';

/** What a broker answers to a record batch that it never takes. */
const TOO_LARGE = new Set(['MESSAGE_TOO_LARGE', 'RECORD_LIST_TOO_LARGE']);

interface Failure {
  name?: unknown;
  type?: unknown;
  cause?: unknown;
}

/**
 * Tells apart what a publish failed by: UNAVAILABLE where no broker answered, `MessageTooLarge`, and other answers of a broker as they
 * are. The answer may concern one partition alone.
 */
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
