import type { ServiceName } from '@drawbridge/contracts';
import type { Envelope } from '@drawbridge/proto/drawbridge/events/v1/envelope';

/**
 * One record on a topic: an encoded Envelope under its organization's id, which decides the partition. `event`: the same, decoded,
 * where who publishes has it at hand.
 */
export type Message = { key: string; value: Buffer; event?: Envelope; headers?: Record<string, string> };

/** Takes up to 500 events of one topic, at least once each. To reject is to be given them again; see docs/events.md. */
export type Handler = (events: Envelope[]) => Promise<void>;

/** The four levels of a pino logger. */
export type Log = Record<'debug' | 'info' | 'warn' | 'error', (fields: object, message: string) => void>;

/**
 * How often a failing batch is tried in all, and how long after its first failure (doubling, at most 5 s). An event that fails by a
 * time limit of the database even alone has `timeLimitAttempts` more, after the rest of its batch.
 */
export type Retry = { attempts: number; firstDelayMs: number; timeLimitAttempts: number };

/** What a service publishes on. */
export type Topic = `drawbridge.${ServiceName}.v1`;

/** Carries events from the outbox relay of one service to the handlers of others. */
export type Bus = {
  /**
   * Resolves when the messages are safe: on Kafka when all in-sync replicas have them, in one process when every group
   * has handled them. Rejects otherwise; some of them may have arrived, so the relay publishes all of them again.
   */
  publish(topic: Topic | `${Topic}.dead`, messages: Message[]): Promise<void>;
  /** Before `start`. Every group gets every event; the members of a group share them by key. */
  subscribe(topic: Topic, group: ServiceName, handler: Handler): void;
  /** Begins deliveries. In one process publishing waits for it; on Kafka it does not wait for the brokers (`ping` does). */
  start(): Promise<void>;
  /** Ends deliveries: a handler at work finishes, what is unfinished stays undelivered for the next start. */
  stop(): Promise<void>;
  /** Whether events flow. Rejects with UNAVAILABLE while the brokers don't answer or a subscription has not joined its group. */
  ping(): Promise<void>;
};

export const MAX_BATCH = 500;

/**
 * A record batch of a partition may have 1,048,588 bytes on a Kafka with default settings (`message.max.bytes`). What is published at
 * once stays well below that, whatever partitions it goes to. One event may be larger than such a batch, and is published alone.
 */
export const MAX_BYTES = { batch: 512 * 1024, event: 768 * 1024 };

/** The most that key, headers and framing of a record take. */
export const RECORD_OVERHEAD_BYTES = 128;

/** The bus does not take messages of this size, and never will. */
export class MessageTooLarge extends Error {
  override name = 'MessageTooLarge';
}

export const RETRY: Retry = { attempts: 5, firstDelayMs: 100, timeLimitAttempts: 30 };

/** `members` → `drawbridge.members.v1`, the topic of what that service publishes. */
export function topicOf(service: ServiceName): Topic {
  return `drawbridge.${service}.v1`;
}

export function inBatches<T>(items: T[]): T[][] {
  return Array.from({ length: Math.ceil(items.length / MAX_BATCH) }, (_, index) =>
    items.slice(index * MAX_BATCH, (index + 1) * MAX_BATCH),
  );
}
