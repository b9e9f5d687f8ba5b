import type { ServiceName } from '@drawbridge/contracts';
import type { Envelope } from '@drawbridge/proto/drawbridge/events/v1/envelope';
import type { LogFields } from '@drawbridge/rpc';

/**
 * One record on a topic: an encoded Envelope. The key is the id of its organization, and selects the partition. `event` contains the decoded Envelope
 * if the publisher has already decoded it.
 */
export type Message = { key: string; value: Buffer; event?: Envelope; headers?: Record<string, string> };

/** Handles up to 500 events of one topic, at least once each. If it rejects, the events of the batch are delivered again; see docs/events.md. */
export type Handler = (events: Envelope[]) => Promise<void>;

/** The log levels that this package uses. */
export type Log = Record<'debug' | 'info' | 'warn' | 'error', (fields: LogFields, message: string) => void>;

/**
 * The total number of attempts for a failing batch, and the first back-off in milliseconds, which doubles up to 5 s. An event that exceeds a time
 * limit of the database even alone gets `timeLimitAttempts` further attempts after the rest of its batch.
 */
export type Retry = { attempts: number; firstDelayMs: number; timeLimitAttempts: number };

export type Topic = `drawbridge.${ServiceName}.v1`;

/** Transports events from the outbox relay of one service to the handlers of other services. */
export type Bus = {
  /**
   * Resolves when the messages are stored safely: on Kafka when all in-sync replicas have them, in one process when every group has handled them.
   * Otherwise rejects. Some messages may then have arrived, so the relay publishes all of them again.
   */
  publish(topic: Topic | `${Topic}.dead`, messages: Message[]): Promise<void>;
  /** Registers a handler. Call it before `start`. Every group receives every event. The members of a group divide the events by key. */
  subscribe(topic: Topic, group: ServiceName, handler: Handler): void;
  /** Starts deliveries. In one process, `publish` waits until this is called. On Kafka it does not wait for the brokers; use `ping`. */
  start(): Promise<void>;
  /** Stops deliveries and waits for running handlers. Events that were not handled are delivered after the next start. */
  stop(): Promise<void>;
  /** Resolves if events can be delivered. Rejects with UNAVAILABLE if the brokers do not respond or a subscription has not joined its group. */
  ping(): Promise<void>;
};

export const MAX_BATCH = 500;

/**
 * Kafka's default limit of a record batch is 1,048,588 bytes (`message.max.bytes`). One publish stays well below that, however its messages are
 * divided between partitions. A single event may exceed `batch`, and is then published alone.
 */
export const MAX_BYTES = { batch: 512 * 1024, event: 768 * 1024 };

/** Maximum size of a record's key, headers and framing. */
export const RECORD_OVERHEAD_BYTES = 128;

/** The message is so large that the bus rejects every attempt to publish it. */
export class MessageTooLarge extends Error {
  override name = 'MessageTooLarge';
}

export const RETRY: Retry = { attempts: 5, firstDelayMs: 100, timeLimitAttempts: 30 };

/** Returns the topic to which a service publishes: `members` → `drawbridge.members.v1`. */
export function topicOf(service: ServiceName): Topic {
  return `drawbridge.${service}.v1`;
}

export function inBatches<T>(items: T[]): T[][] {
  return Array.from({ length: Math.ceil(items.length / MAX_BATCH) }, (_, index) =>
    items.slice(index * MAX_BATCH, (index + 1) * MAX_BATCH),
  );
}
