import { trigger } from '@drawbridge/piece-kit';
import { sample, ticketWebhook } from './ticket-webhook.js';

/** Each kind of change is a separate event. Zendesk rejects the webhook if one of them does not exist. */
const CHANGES = [
  'agent_assignment_changed',
  'brand_changed',
  'custom_field_changed',
  'custom_status_changed',
  'description_changed',
  'external_id_changed',
  'form_changed',
  'group_assignment_changed',
  'organization_changed',
  'priority_changed',
  'problem_link_changed',
  'requester_changed',
  'status_changed',
  'subject_changed',
  'tags_changed',
  'task_due_at_changed',
  'type_changed',
];

/** Runs when a field of a ticket changes: https://developer.zendesk.com/api-reference/webhooks/event-types/ticket-events/ */
export const ticketUpdated = trigger({
  kind: 'webhook',
  displayName: 'Ticket updated',
  description: 'Runs when a field of a ticket changes. The event has the previous and the current value as "event".',
  props: {},
  sample: sample('status_changed', { previous: 'OPEN', current: 'SOLVED' }),
  ...ticketWebhook(CHANGES),
});
