import { action, dropdown, json, longText, shortText } from '@drawbridge/piece-kit';
import { pickFields, same } from '../../pick-fields.js';
import { ticketTypes } from '../options.js';
import { contact } from '../properties.js';

/** Creates a ticket for a contact: https://developers.intercom.com/docs/references/rest-api/api.intercom.io/tickets/createticket */
export const createTicket = action({
  displayName: 'Create ticket',
  description: 'Creates a ticket for a contact and returns its id.',
  category: 'write',
  adds: true,
  props: {
    ticket_type_id: dropdown('Type', {
      required: true,
      description: 'The id of a type of tickets.',
      pattern: '^[0-9]{1,30}$',
      options: ticketTypes,
    }),
    contact_id: contact,
    title: shortText('Title', { required: true, description: 'The title.', minLength: 1, maxLength: 255 }),
    description: longText('Description', { description: 'The description.', maxLength: 50_000 }),
    attributes: json('Attributes', {
      description: 'By attribute name: {"severity": "high"}.',
      schema: { type: 'object' },
    }),
  },
  run: async ({ http, input: { ticket_type_id, contact_id, title, description, attributes } }) => {
    const body = {
      ...{ ticket_type_id, contacts: [{ id: contact_id }] },
      ticket_attributes: {
        ...attributes,
        _default_title_: title,
        ...(description && { _default_description_: description }),
      },
    };
    const ticket = await http.json({ method: 'POST', path: '/tickets', json: body });
    return pickFields(ticket, {
      ...same('id', 'ticket_id', 'created_at', 'open'),
      state: 'ticket_state.internal_label',
    });
  },
});
