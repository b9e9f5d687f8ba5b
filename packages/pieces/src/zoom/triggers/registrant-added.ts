import { textAt, trigger } from '@drawbridge/piece-kit';
import { meetingEvents, sample } from './meeting-events.js';

/**
 * Runs when a person registers for a meeting of the connected user:
 * https://developers.zoom.us/docs/api/meetings/events/#tag/meeting/postmeeting.registration_created
 */
export const registrantAdded = trigger({
  kind: 'app-webhook',
  displayName: 'Registrant added',
  description: 'Runs when a person registers for a meeting of the connected user.',
  props: {},
  sample: sample('meeting.registration_created', {
    registrant: {
      ...{ id: 'U0BBBBBBBBBBfrUz1T1Efg', email: 'ada@example.com', first_name: 'Ada', last_name: 'Lovelace' },
      join_url: 'https://example.com/join',
    },
  }),
  ...meetingEvents('meeting.registration_created', (object) => textAt(object, 'registrant', 'id')),
});
