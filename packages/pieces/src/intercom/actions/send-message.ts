import { action, shortText, staticDropdown } from '@drawbridge/piece-kit';
import { pickFields, same } from '../../pick-fields.js';
import { admin, contact, text } from '../properties.js';

/**
 * Sends an email or in-app message to a contact, from a teammate:
 * https://developers.intercom.com/docs/references/rest-api/api.intercom.io/messages/createmessage
 */
export const sendMessage = action({
  displayName: 'Send message',
  description: 'Sends an email or in-app message to a contact, from a teammate. Returns the message.',
  category: 'send',
  recipients: ['contact_id'],
  props: {
    contact_id: contact,
    role: staticDropdown('Role', ['user', 'lead'], { required: true, description: 'The role of the contact.' }),
    admin_id: admin,
    type: staticDropdown('Type', ['email', 'in_app'], { required: true, description: 'How it is sent.' }),
    text,
    subject: shortText('Subject', { description: 'The subject of an email.', maxLength: 255 }),
    template: staticDropdown('Template', ['plain', 'personal'], {
      description: 'The style of an email. Defaults to plain.',
    }),
  },
  run: async ({ http, input: { contact_id, role, admin_id, type, text: body, subject, template = 'plain' } }) => {
    const json = {
      ...{ message_type: type, body },
      ...(subject && { subject }),
      ...(type === 'email' && { template }),
      ...{ from: { type: 'admin', id: Number(admin_id) }, to: { type: role, id: contact_id } },
    };
    const message = await http.json({ method: 'POST', path: '/messages', json });
    return pickFields(message, same('id', 'message_type', 'created_at', 'conversation_id'));
  },
});
