import { action } from '@drawbridge/piece-kit';
import { pickFields, same } from '../../pick-fields.js';
import { admin, contact, text } from '../properties.js';
import { contactPath } from '../records.js';

/** Adds a note to a contact: https://developers.intercom.com/docs/references/rest-api/api.intercom.io/notes/createnote */
export const createNote = action({
  displayName: 'Create note',
  description: 'Adds a note to a contact, which only teammates see. Returns the note.',
  category: 'write',
  adds: true,
  props: { contact_id: contact, admin_id: admin, text },
  run: async ({ http, input: { contact_id, admin_id, text: body } }) => {
    const json = { body, admin_id };
    const note = await http.json({ method: 'POST', path: contactPath(contact_id, '/notes'), json });
    return pickFields(note, same('id', 'body', 'created_at'));
  },
});
