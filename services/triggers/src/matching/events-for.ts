import { type TriggerEvent, type WebhookRequest } from '@drawbridge/piece-kit';
import { isEvent } from '../events/is-event.js';
import { findInbound } from '../intake/inbound-triggers.js';
import { type AskingSource } from './sources-of.js';

type Asking = Pick<AskingSource, 'integrationName' | 'triggerName' | 'routeKey' | 'input'>;

/**
 * Returns the events that a request holds for a source: none if it is about another installation or the piece was removed. Throws if the code of the
 * piece cannot read the request; a retry would fail the same way.
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
