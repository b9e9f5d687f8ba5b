import { action } from '@drawbridge/piece-kit';
import { addComment } from '../add-comment.js';
import { body, ticket, uploads } from '../properties.js';

/** Adds a comment to a ticket that only agents can read: https://developer.zendesk.com/api-reference/ticketing/tickets/ticket_comments/ */
export const addInternalNote = action({
  displayName: 'Add internal note',
  description: 'Adds a comment to a ticket that only agents can read, and returns the ticket.',
  category: 'write',
  adds: true,
  props: { ticket_id: ticket, body, uploads },
  run: ({ http, input: { ticket_id, ...comment } }) => addComment(http, ticket_id, { ...comment, isPublic: false }),
});
