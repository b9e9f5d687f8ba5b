import { trigger } from '@drawbridge/piece-kit';
import { sample, ticketWebhook } from './ticket-webhook.js';

/**
 * Runs when a public comment or an internal note is added to a ticket:
 * https://developer.zendesk.com/api-reference/webhooks/event-types/ticket-events/#comment-added
 */
export const commentAdded = trigger({
  kind: 'webhook',
  displayName: 'Comment added',
  description:
    'Runs when a public comment or an internal note is added to a ticket. The event has it as "event.comment".',
  props: {},
  sample: sample('comment_added', {
    comment: {
      id: '8453464057726',
      body: 'Thank you',
      is_public: true,
      author: { id: '8447388090494', is_staff: false },
    },
  }),
  ...ticketWebhook(['comment_added']),
});
