import { action, collect, expandPath } from '@drawbridge/piece-kit';
import { cursorPages, PAGE } from '../paging.js';
import { limit, ticket } from '../properties.js';
import { toComment } from '../ticket.js';

/**
 * Lists the comments of a ticket with their attachments: https://developer.zendesk.com/api-reference/ticketing/tickets/ticket_comments/#list-comments
 */
export const listComments = action({
  displayName: 'List comments',
  description: 'Lists the comments of a ticket with their attachments, the oldest first.',
  category: 'read',
  props: { ticket_id: ticket, limit },
  run: async ({ http, input: { ticket_id, limit: count = PAGE } }) => {
    const path = expandPath('/api/v2/tickets/{ticket_id}/comments', { ticket_id });
    const request = { method: 'GET', path, query: { 'page[size]': Math.min(count, PAGE) } } as const;
    return (await collect(http.pages(request, count, cursorPages('comments')))).map(toComment);
  },
});
