import { setTimeout as sleep } from 'node:timers/promises';
import { Envelope } from '@drawbridge/proto/drawbridge/events/v1/envelope';
import { describeError, isOutage, isTimeLimit } from '@drawbridge/rpc';
import { type Handler, type Log, type Message, MessageTooLarge, type Retry } from './bus.js';
import { inSpan } from './spans.js';

const MAX_DELAY_MS = 5_000;

export type Delivery = {
  topic: string;
  group: string;
  handler: Handler;
  deadLetter: (message: Message) => Promise<void>;
  retry: Retry;
  log: Log;
  /** Aborts the wait between two attempts. */
  signal: AbortSignal;
  /** `wait` retries until the outage ends. `reject` rejects, so that the publisher retries. */
  onOutage: 'wait' | 'reject';
  /** Called before each attempt. If it rejects, the delivery is aborted. */
  heartbeat?: () => Promise<void>;
};

type DecodedMessage = { message: Message; event: Envelope };

/**
 * Passes a batch to a handler until it succeeds. A batch that keeps failing is split into single events, so that only the failing event becomes a
 * dead letter. Rejects when stopped, or on an outage with `onOutage: 'reject'`. With `wait`, exceeding a time limit of the database does not count as
 * an outage, because an event with an effect that is always too slow must not block other events: after its attempts it becomes a dead letter.
 */
export async function deliver(messages: Message[], delivery: Delivery): Promise<void> {
  const items: DecodedMessage[] = [];
  for (const message of messages) {
    const event = decode(message);
    if (event) items.push({ message, event });
    else await sendToDeadLetters(message, new Error('The Kafka record is not an Envelope'), delivery);
  }
  if (items.length > 0) await deliverItems(items, delivery);
}

function decode({ event, value }: Message): Envelope | undefined {
  try {
    const decoded = event ?? Envelope.decode(value);
    return decoded.id ? decoded : undefined;
  } catch {
    return undefined;
  }
}

async function deliverItems(items: DecodedMessage[], delivery: Delivery): Promise<void> {
  const { attempts, timeLimitAttempts } = delivery.retry;
  const failure = await attempt(items, delivery, attempts);
  if (!failure) return;

  const slow: DecodedMessage[] = [];
  for (const item of items) {
    const failed = items.length === 1 ? failure : await attempt([item], delivery, attempts);
    if (failed && isTimeLimit(failed.error)) slow.push(item);
    else if (failed) await sendToDeadLetters(item.message, failed.error, delivery, item.event);
  }
  for (const item of slow) {
    const failed = await attempt([item], delivery, timeLimitAttempts);
    if (failed) await sendToDeadLetters(item.message, failed.error, delivery, item.event);
  }
}

async function attempt(
  items: DecodedMessage[],
  delivery: Delivery,
  attempts: number,
): Promise<{ error: unknown } | undefined> {
  const { topic, group, handler, retry, log, signal, onOutage, heartbeat } = delivery;
  const events = items.map(({ event }) => event);
  for (let tries = 1; ; tries += 1) {
    signal.throwIfAborted();
    await heartbeat?.();
    try {
      await inSpan('process', topic, events, () => handler(events));
      return undefined;
    } catch (error) {
      const line = { topic, group, count: events.length, attempt: tries, error: describeError(error) };
      log.warn(line, 'a handler failed on a batch of events');
      const isPassing = isOutage(error) && (onOutage === 'reject' || !isTimeLimit(error));
      if (tries >= attempts && !isPassing) return { error };
      if (tries >= attempts && onOutage === 'reject') throw error;
    }
    await sleep(Math.min(retry.firstDelayMs * 2 ** (tries - 1), MAX_DELAY_MS), undefined, { signal });
  }
}

async function sendToDeadLetters(
  message: Message,
  error: unknown,
  delivery: Delivery,
  event?: Envelope,
): Promise<void> {
  const { topic, group, log, deadLetter } = delivery;
  const reason = error instanceof Error ? error.name : 'unknown';
  const line = { topic, group, eventId: event?.id, eventType: event?.type, error: describeError(error) };
  try {
    await deadLetter({ ...message, headers: { group, reason } });
    log.error(line, 'an event was moved to the dead letters');
  } catch (refused) {
    // The event is dropped and only its id is logged, because a dead letter that is always rejected must not block the partition.
    if (!(refused instanceof MessageTooLarge)) throw refused;
    log.error(line, 'dropped an event that is too large for the dead-letter topic');
  }
}
