import { action, dateTime, number, shortText } from '@drawbridge/piece-kit';
import { pickFields, same } from '../../pick-fields.js';

/** Creates an online meeting: https://learn.microsoft.com/graph/api/application-post-onlinemeetings */
export const createMeeting = action({
  displayName: 'Create meeting',
  description: 'Creates an online meeting and returns the link to join. It is not added to a calendar.',
  category: 'write',
  adds: true,
  props: {
    subject: shortText('Subject', {
      required: true,
      description: 'The title of the meeting.',
      minLength: 1,
      maxLength: 250,
    }),
    start: dateTime('Start', { required: true, description: 'When it starts.' }),
    minutes: number('Minutes', {
      description: 'How long it lasts. Defaults to 60.',
      integer: true,
      minimum: 1,
      maximum: 1_440,
    }),
  },
  run: async ({ http, input: { subject, start, minutes = 60 } }) => {
    const begin = Date.parse(start);
    const [startDateTime, endDateTime] = [begin, begin + minutes * 60_000].map((at) => new Date(at).toISOString());
    const body = { subject, startDateTime: startDateTime!, endDateTime: endDateTime! };
    const meeting = await http.json({ method: 'POST', path: '/v1.0/me/onlineMeetings', json: body });
    return pickFields(meeting, same('id', 'subject', 'startDateTime', 'endDateTime', 'joinWebUrl'));
  },
});
