import { trigger } from '@drawbridge/piece-kit';
import { sample, ticketWebhook } from './ticket-webhook.js';

/** Runs when a ticket is created: https://developer.zendesk.com/api-reference/webhooks/event-types/ticket-events/#ticket-created */
export const ticketCreated = trigger({
  kind: 'webhook',
  displayName: 'Ticket created',
  description: 'Runs when a ticket is created. The event has the ticket as "detail".',
  props: {},
  sample: sample('created', { meta: { sequence: { id: '1', position: 1, total: 1 } } }),
  ...ticketWebhook(['created']),
});
