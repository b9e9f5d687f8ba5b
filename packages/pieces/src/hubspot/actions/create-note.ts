import { action, dateTime, longText } from '@drawbridge/piece-kit';
import { associationsOf } from '../associations.js';
import { engaged, owner } from '../properties.js';
import { createRecord } from '../records.js';

/** Adds a note to the timeline of contacts, companies, deals or tickets: https://developers.hubspot.com/docs/api-reference/crm-notes-v3/guide */
export const createNote = action({
  displayName: 'Create note',
  description: 'Adds a note to the timeline of contacts, companies, deals or tickets, and returns it.',
  category: 'write',
  adds: true,
  props: {
    body: longText('Text', {
      required: true,
      description: 'The text of the note, with simple HTML.',
      minLength: 1,
      maxLength: 65_536,
    }),
    ...engaged,
    time: dateTime('Time', { description: 'The time on the timeline. Defaults to now.' }),
    hubspot_owner_id: owner,
  },
  run: ({ http, input: { body, time, hubspot_owner_id, ...ids } }) => {
    const values = {
      hs_note_body: body,
      hs_timestamp: time ?? new Date().toISOString(),
      ...(hubspot_owner_id && { hubspot_owner_id }),
    };
    return createRecord(http, 'notes', values, associationsOf('notes', ids));
  },
});
