import { action, collect, shortText, staticDropdown } from '@drawbridge/piece-kit';
import { offsetPages, PAGE } from '../paging.js';
import { limit } from '../properties.js';
import { toTicket } from '../ticket.js';

/** Finds tickets by a query: https://developer.zendesk.com/api-reference/ticketing/ticket-management/search/ */
export const search = action({
  displayName: 'Search tickets',
  description: "Finds tickets by words and conditions in Zendesk's search syntax, at most 1,000.",
  category: 'read',
  props: {
    query: shortText('Query', {
      required: true,
      description: 'Such as refund status:open priority>normal created>2026-01-01.',
      minLength: 1,
      maxLength: 2_000,
    }),
    sort_by: staticDropdown('Sort by', ['updated_at', 'created_at', 'priority', 'status', 'ticket_type'], {
      description: 'The order of the tickets. Defaults to relevance.',
    }),
    sort_order: staticDropdown('Order', ['asc', 'desc'], { description: 'Defaults to desc.' }),
    limit,
  },
  run: async ({ http, input: { query, limit: count = PAGE, ...order } }) => {
    const request = {
      method: 'GET',
      path: '/api/v2/search',
      query: { query: `type:ticket ${query}`, ...order, per_page: Math.min(count, PAGE) },
    } as const;
    return (await collect(http.pages(request, count, offsetPages('results')))).map(toTicket);
  },
});
