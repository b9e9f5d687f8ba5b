import { type TriggerEvent, type WebhookRequest } from '@drawbridge/piece-kit';
import { isEvent } from '../events/is-event.js';
import { findInbound } from '../intake/inbound-triggers.js';
import { type AskingSource } from './sources-of.js';

type Asking = Pick<AskingSource, 'integrationName' | 'triggerName' | 'routeKey' | 'input'>;

/**
 * What a request tells a source; nothing where it is about somebody else, or the piece is no longer here. Throws for what the code of the
 * piece can not read: it will not the next time either.
 */
export function eventsFor(
  { integrationName, triggerName, routeKey, input }: Asking,
  request: WebhookRequest,
): TriggerEvent[] {
  const trigger = findInbound(integrationName, triggerName);
  if (!trigger) return [];
  if (trigger.kind === 'app-webhook' && trigger.route(request) !== routeKey) return [];
  const events = trigger.events(request, input);
  if (!events.every(isEvent)) throw new Error('An event has an id, and data');
  return events;
}
