import { action, expandPath, shortText } from '@drawbridge/piece-kit';
import { ticket, ticketFields } from '../properties.js';
import { ticketIn, toCustomFields } from '../ticket.js';

/** Changes fields of a ticket: https://developer.zendesk.com/api-reference/ticketing/tickets/tickets/#update-ticket */
export const updateTicket = action({
  displayName: 'Update ticket',
  description: 'Changes the given fields of a ticket and returns it. Other fields stay as they are.',
  category: 'write',
  idempotent: true,
  props: {
    ticket_id: ticket,
    subject: shortText('Subject', { description: 'The title.', minLength: 1, maxLength: 255 }),
    ...ticketFields,
  },
  run: async ({ http, input: { ticket_id, custom_fields, ...fields } }) => {
    const changes = { ...fields, ...(custom_fields && { custom_fields: toCustomFields(custom_fields) }) };
    const path = expandPath('/api/v2/tickets/{ticket_id}', { ticket_id });
    return ticketIn(await http.json({ method: 'PUT', path, json: { ticket: changes } }));
  },
});
