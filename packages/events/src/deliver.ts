import { setTimeout as sleep } from 'node:timers/promises';
import { Envelope } from '@drawbridge/proto/drawbridge/events/v1/envelope';
import { describeError, isOutage } from '@drawbridge/rpc';
import type { Handler, Log, Message, Retry } from './bus.js';
import { inSpan } from './spans.js';

const MAX_DELAY_MS = 5_000;

export type Delivery = {
  topic: string;
  group: string;
  handler: Handler;
  deadLetter: (message: Message) => Promise<void>;
  retry: Retry;
  log: Log;
  /** Ends a wait between two tries. */
  signal: AbortSignal;
  /** `wait` tries on for as long as an outage lasts; `reject` leaves that to the publisher. */
  onOutage: 'wait' | 'reject';
  /** Called before each try; a rejection ends the delivery. */
  heartbeat?: () => Promise<void>;
};

type DecodedMessage = { message: Message; event: Envelope };

/**
 * Hands a batch to a handler until it takes it. A batch that keeps failing is handed over one by one, so that the one
 * event that fails again goes to the dead letters alone. Rejects when stopped, or on an outage if asked to.
 */
export async function deliver(messages: Message[], delivery: Delivery): Promise<void> {
  const items: DecodedMessage[] = [];
  for (const message of messages) {
    const event = decode(message);
    if (event) items.push({ message, event });
    else await sendToDeadLetters(message, new Error('The record is no Envelope'), delivery);
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
  const failure = await attempt(
    items.map(({ event }) => event),
    delivery,
  );
  const [first, second] = items;
  if (!failure || !first) return;

  if (!second) return sendToDeadLetters(first.message, failure.error, delivery, first.event);
  for (const item of items) await deliverItems([item], delivery);
}

async function attempt(events: Envelope[], delivery: Delivery): Promise<{ error: unknown } | undefined> {
  const { topic, group, handler, retry, log, signal, onOutage, heartbeat } = delivery;
  for (let tries = 1; ; tries += 1) {
    signal.throwIfAborted();
    await heartbeat?.();
    try {
      await inSpan('process', topic, events, () => handler(events));
      return undefined;
    } catch (error) {
      const line = { topic, group, count: events.length, attempt: tries, error: describeError(error) };
      log.warn(line, 'a handler failed on a batch of events');
      const outage = isOutage(error);
      if (tries >= retry.attempts && !outage) return { error };
      if (tries >= retry.attempts && onOutage === 'reject') throw error;
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
  await deadLetter({ ...message, headers: { group, reason } });
  const line = { topic, group, eventId: event?.id, eventType: event?.type, error: describeError(error) };
  log.error(line, 'an event went to the dead letters');
}
