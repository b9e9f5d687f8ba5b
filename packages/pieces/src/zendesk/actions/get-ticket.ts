import { action, checkbox, expandPath, member } from '@drawbridge/piece-kit';
import { ticket } from '../properties.js';
import { toTicket } from '../ticket.js';

/** Returns a ticket: https://developer.zendesk.com/api-reference/ticketing/tickets/tickets/#show-ticket */
export const getTicket = action({
  displayName: 'Get ticket',
  description: 'Reads a ticket: its subject, status, priority, tags, custom fields and the ids of its people.',
  category: 'read',
  props: {
    ticket_id: ticket,
    raw: checkbox('Raw', { description: 'Returns all fields as Zendesk sends them.' }),
  },
  run: async ({ http, input: { ticket_id, raw } }) => {
    const path = expandPath('/api/v2/tickets/{ticket_id}', { ticket_id });
    const found = member(await http.json({ method: 'GET', path }), 'ticket') ?? null;
    return raw ? found : toTicket(found);
  },
});
