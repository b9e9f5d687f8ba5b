import { routeKeys, type TriggerEvent, type WebhookRequest } from '@drawbridge/piece-kit';
import { sha256, type Telling, type Told } from '../events/record-events.js';
import { findInbound } from '../sources/find-trigger.js';
import { type AskingSource } from './match-received.js';

type Asking = Pick<AskingSource, 'integrationName' | 'triggerName' | 'routeKey' | 'input'>;

/**
 * Returns the events that a request holds for a source, or that it starts a poll. There are none if it is about another installation or the piece was
 * removed. Throws if the code of the piece cannot read the request; a retry would fail the same way.
 */
export function eventsFor(
  { integrationName, triggerName, routeKey, input }: Asking,
  request: WebhookRequest,
): TriggerEvent[] | 'poll' {
  const trigger = findInbound(integrationName, triggerName);
  if (!trigger) return [];
  if (trigger.kind === 'app-webhook' && !(routeKey !== null && routeKeys(trigger, request).includes(routeKey)))
    return [];
  if (trigger.poll) return 'poll';
  const events = trigger.events(request, input, routeKey ?? undefined);
  if (!events.every(isEvent)) throw new Error('An event has an id, and data');
  return events;
}

/** Our compiler has not checked external pieces, so their events are validated at run time. */
export function isEvent(given: unknown): given is TriggerEvent {
  const { id, data, signature } = (given ?? {}) as Partial<TriggerEvent>;
  const isSaid = signature === undefined || typeof signature === 'string';
  return (
    isSaid && typeof id === 'string' && id !== '' && typeof data === 'object' && data !== null && !Array.isArray(data)
  );
}

const MAX_REASON = 300;

interface Stored {
  method: string;
  url: string;
  headers: Record<string, string>;
  base64: string;
}

/**
 * Converts a request that the piece cannot read into a dead letter. It holds the whole request, so that it can be read again. A request that is sent
 * repeatedly is recorded once.
 */
export function unreadableTelling(
  source: Told,
  { method, url, headers, body }: WebhookRequest,
  error: unknown,
): Telling {
  const stored: Stored = { method, url, headers: { ...headers }, base64: Buffer.from(body).toString('base64') };
  const about = { providerId: `unreadable:${sha256(body)}`, signatureHash: null, isSent: true };
  return { source, ...about, payload: JSON.stringify(stored), unreadable: reasonOf(error) };
}

/** Restores the request from such a dead letter. */
export function unreadableRequest(payload: unknown): WebhookRequest {
  const { base64, ...request } = payload as Stored;
  return { ...request, body: Buffer.from(base64, 'base64') };
}

/** Returns the reason, which the organization of the event can see. PostgreSQL stores no NUL. */
export function reasonOf(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  return `The event cannot be read: ${message.replaceAll('\0', '').slice(0, MAX_REASON)}`;
}
