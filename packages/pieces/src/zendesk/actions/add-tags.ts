import { action } from '@drawbridge/piece-kit';
import { newTags, ticket } from '../properties.js';

/** Adds tags to a ticket: https://developer.zendesk.com/api-reference/ticketing/ticket-management/tags/#add-tags */
export const addTags = action({
  displayName: 'Add tags',
  description: 'Adds tags to a ticket, keeps its other tags, and returns all of them.',
  category: 'write',
  adds: true,
  idempotent: true,
  props: { ticket_id: ticket, tags: newTags },
  call: { method: 'PUT', path: '/api/v2/tickets/{ticket_id}/tags', body: ['tags'] },
});
