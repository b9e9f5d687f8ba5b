import { type TriggerEvent, type WebhookRequest } from '@drawbridge/piece-kit';
import { findInbound } from '../intake/inbound-triggers.js';
import { type AskingSource } from './sources-of.js';

type Asking = Pick<AskingSource, 'integrationName' | 'triggerName' | 'routeKey' | 'input'>;

/** What a request tells a source; nothing where it is about somebody else, or the piece is no longer here. */
export function eventsFor(
  { integrationName, triggerName, routeKey, input }: Asking,
  request: WebhookRequest,
): TriggerEvent[] {
  const trigger = findInbound(integrationName, triggerName);
  if (!trigger) return [];
  if (trigger.kind === 'app-webhook' && trigger.route(request) !== routeKey) return [];
  return trigger.events(request, input);
}
