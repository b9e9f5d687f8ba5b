import { action, expandPath } from '@drawbridge/piece-kit';
import { toMeetingBody } from '../meetings.js';
import { meetingFields, meetingId, newTopic } from '../properties.js';

/** Changes the time, title or settings of a meeting: https://developers.zoom.us/docs/api/meetings/#tag/meetings/PATCH/meetings/{meetingId} */
export const updateMeeting = action({
  displayName: 'Update meeting',
  description: 'Changes the time, title or settings of a meeting. Returns its id.',
  category: 'send',
  idempotent: true,
  recipients: ['alternative_hosts'],
  props: { meeting_id: meetingId, topic: newTopic, ...meetingFields },
  run: async ({ http, input: { meeting_id, ...given } }) => {
    const path = expandPath('/v2/meetings/{meeting_id}', { meeting_id });
    await http.request({ method: 'PATCH', path, json: toMeetingBody(given) });
    return { id: meeting_id };
  },
});
