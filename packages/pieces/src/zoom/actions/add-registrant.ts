import { action, expandPath, shortText } from '@drawbridge/piece-kit';
import { pickFields, same } from '../../pick-fields.js';
import { meetingId } from '../properties.js';

/** Registers a person for a meeting: https://developers.zoom.us/docs/api/meetings/#tag/meetings/POST/meetings/{meetingId}/registrants */
export const addRegistrant = action({
  displayName: 'Add registrant',
  description:
    'Registers a person for a meeting and returns a link to join for this person. Zoom sends an email to the person.',
  category: 'send',
  recipients: ['email'],
  props: {
    meeting_id: meetingId,
    email: shortText('Email', {
      required: true,
      description: 'The email address of the person.',
      pattern: '^[^\\s@]+@[^\\s@]+$',
      maxLength: 128,
    }),
    first_name: shortText('First name', {
      required: true,
      description: 'The first name.',
      minLength: 1,
      maxLength: 64,
    }),
    last_name: shortText('Last name', { description: 'The last name.', maxLength: 64 }),
    org: shortText('Company', { description: 'The organization of the person.', maxLength: 200 }),
    job_title: shortText('Job title', { description: 'The position of the person.', maxLength: 200 }),
  },
  run: async ({ http, input: { meeting_id, ...json } }) => {
    const path = expandPath('/v2/meetings/{meeting_id}/registrants', { meeting_id });
    const fields = same('registrant_id', 'join_url', 'topic', 'start_time');
    return pickFields(await http.json({ method: 'POST', path, json }), fields);
  },
});
