import { action, InputError, longText, shortText } from '@drawbridge/piece-kit';
import { requester, ticketFields, uploads } from '../properties.js';
import { ticketIn, toCustomFields } from '../ticket.js';

/** Opens a ticket with a first comment: https://developer.zendesk.com/api-reference/ticketing/tickets/tickets/#create-ticket */
export const createTicket = action({
  displayName: 'Create ticket',
  description: 'Opens a ticket with a first comment, which is sent to the requester, and returns the ticket.',
  category: 'send',
  recipients: ['requester_email'],
  props: {
    subject: shortText('Subject', {
      required: true,
      description: 'The title of the ticket.',
      minLength: 1,
      maxLength: 255,
    }),
    comment: longText('Comment', {
      required: true,
      description: 'The first message.',
      minLength: 1,
      maxLength: 65_536,
    }),
    ...requester,
    ...ticketFields,
    uploads,
  },
  run: async ({
    http,
    input: { comment, uploads: files, requester_email, requester_name, custom_fields, ...fields },
  }) => {
    if (requester_name && !requester_email) throw new InputError('requester_name', 'needs the email of the requester');
    const ticket = {
      ...fields,
      comment: { body: comment, ...(files && { uploads: files }) },
      ...(requester_email && {
        requester: { email: requester_email, ...(requester_name && { name: requester_name }) },
      }),
      ...(custom_fields && { custom_fields: toCustomFields(custom_fields) }),
    };
    return ticketIn(await http.json({ method: 'POST', path: '/api/v2/tickets', json: { ticket } }));
  },
});
