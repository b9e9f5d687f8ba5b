import { action } from '@drawbridge/piece-kit';
import { addComment } from '../add-comment.js';
import { body, status, ticket, uploads } from '../properties.js';

/** Adds a public comment to a ticket: https://developer.zendesk.com/api-reference/ticketing/tickets/ticket_comments/ */
export const reply = action({
  displayName: 'Reply',
  description: 'Adds a public comment to a ticket, which is sent to its requester, and returns the ticket.',
  category: 'send',
  recipients: ['ticket_id'],
  props: { ticket_id: ticket, body, status, uploads },
  run: ({ http, input: { ticket_id, ...comment } }) => addComment(http, ticket_id, { ...comment, isPublic: true }),
});
