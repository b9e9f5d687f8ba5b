import { routeKeys, type TriggerEvent, type WebhookRequest } from '@drawbridge/piece-kit';
import { sha256, type Telling, type Told } from '../events/record-events.js';
import { findInbound } from '../sources/find-trigger.js';
import { type AskingSource } from './match-received.js';

type Asking = Pick<AskingSource, 'integrationName' | 'triggerName' | 'routeKey' | 'input'>;

/**
 * Returns the events of a request for a source, or `poll` if the request only announces changes that a poll must read. Returns no events if the
 * request concerns another installation of the app or the piece was removed. Throws if the piece cannot read the request, which a retry cannot
 * change.
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
  if (!events.every(isEvent)) throw new Error('The piece returned an event without id or data');
  return events;
}

/** Returns true for a valid event. External pieces are not type-checked, so their events must be validated at run time. */
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
 * Converts a request that the piece cannot read to a dead letter. It contains the whole request, so that the request can be read again after the
 * piece was fixed. Its id is a hash of the body, so a request that is sent repeatedly is recorded once.
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

/** Restores the request from a dead letter. */
export function unreadableRequest(payload: unknown): WebhookRequest {
  const { base64, ...request } = payload as Stored;
  return { ...request, body: Buffer.from(base64, 'base64') };
}

/** Returns the error message for the organization that owns the event, without NUL, which PostgreSQL cannot store. */
export function reasonOf(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  return `The event cannot be read: ${message.replaceAll('\0', '').slice(0, MAX_REASON)}`;
}
