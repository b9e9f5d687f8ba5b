import { ApiError } from '@drawbridge/contracts';
import { type ITopicConfig } from 'kafkajs';
import { MessageTooLarge } from './bus.js';

/** Error types with which a broker rejects a record batch permanently. */
const TOO_LARGE = new Set(['MESSAGE_TOO_LARGE', 'RECORD_LIST_TOO_LARGE']);

interface Failure {
  name?: unknown;
  type?: unknown;
  cause?: unknown;
}

/**
 * Converts the error of a failed publish to UNAVAILABLE if no broker responded, to `MessageTooLarge`, or to the broker's error, which may concern
 * only one partition.
 */
export function toBusError(error: unknown): unknown {
  const answer = answerOf(error);
  if (typeof answer?.type === 'string' && TOO_LARGE.has(answer.type)) {
    return new MessageTooLarge('Kafka rejected a record batch because it is too large', { cause: error });
  }
  const { name } = error as Failure;
  if (answer || typeof name !== 'string' || !name.startsWith('KafkaJS')) return error;
  return new ApiError('UNAVAILABLE', 'Kafka does not respond', { cause: error });
}

function answerOf(error: unknown): Failure | undefined {
  if (typeof error !== 'object' || error === null) return undefined;
  const failure: Failure = error;
  return failure.name === 'KafkaJSProtocolError' ? failure : answerOf(failure.cause);
}

const PARTITIONS = 12;
const DAY_MS = 24 * 60 * 60 * 1000;
/** Kafka deletes an event up to one day late. It must do so before the inboxes delete the event's id after 7 days. */
const KEPT_DAYS = { delivered: 6, dead: 30 };

/**
 * Returns the configuration of a new topic. A `.dead` topic contains the dead letters of another topic. Kafka deletes whole segments: a segment of
 * one day is deleted at most a day after its first event expires.
 */
export function kafkaTopic(topic: string): ITopicConfig {
  const days = topic.endsWith('.dead') ? KEPT_DAYS.dead : KEPT_DAYS.delivered;
  const configEntries = [
    { name: 'retention.ms', value: String(days * DAY_MS) },
    { name: 'segment.ms', value: String(DAY_MS) },
    // The broker's default may be a codec that kafkajs cannot read.
    { name: 'compression.type', value: 'producer' },
  ];
  return { topic, numPartitions: PARTITIONS, configEntries };
}

type Client = { connect(): Promise<void>; disconnect(): Promise<void> };

type Reconnecting<C> = { use<T>(work: (client: C) => Promise<T>): Promise<T>; close(): Promise<void> };

/** Returns a client that connects when it is first used, and is replaced after a failed use. */
export function reconnectingClient<C extends Client>(make: () => C): Reconnecting<C> {
  let current: Promise<C> | undefined;

  async function discard(client: Promise<C> | undefined): Promise<void> {
    if (current === client) current = undefined;
    await client?.then((it) => it.disconnect()).catch(() => undefined);
  }

  return {
    async use(work) {
      const client = (current ??= connect(make()));
      try {
        return await work(await client);
      } catch (error) {
        void discard(client);
        throw error;
      }
    },
    close: () => discard(current),
  };
}

async function connect<C extends Client>(client: C): Promise<C> {
  await client.connect();
  return client;
}
