import { action, dateTime, longText } from '@drawbridge/piece-kit';
import { createEngagement } from '../engagement.js';
import { about, owner } from '../properties.js';

/** https://developers.hubspot.com/docs/guides/api/crm/engagements/notes */
export const createNote = action({
  displayName: 'Create note',
  description: 'Adds a note to a contact, company or deal.',
  category: 'write',
  adds: true,
  props: {
    ...about,
    body: longText('Text', {
      required: true,
      description: 'The note. HTML is formatted.',
      minLength: 1,
      maxLength: 65_536,
    }),
    time: dateTime('Time', { description: 'The time of the note. Defaults to now.' }),
    hubspot_owner_id: owner,
  },
  run: ({ http, input: { object_type, record_id, body, time, hubspot_owner_id } }) =>
    createEngagement(
      http,
      'notes',
      { object_type, record_id },
      {
        ...{ hs_note_body: body, hs_timestamp: time ?? new Date().toISOString() },
        ...(hubspot_owner_id && { hubspot_owner_id }),
      },
    ),
});
