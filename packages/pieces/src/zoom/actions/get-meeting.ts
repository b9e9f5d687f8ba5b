import { action, expandPath } from '@drawbridge/piece-kit';
import { toMeeting } from '../meetings.js';
import { meetingId } from '../properties.js';

/** Returns a meeting: https://developers.zoom.us/docs/api/meetings/#tag/meetings/GET/meetings/{meetingId} */
export const getMeeting = action({
  displayName: 'Get meeting',
  description: 'Reads a meeting: its topic, time, host and the link to join.',
  category: 'read',
  props: { meeting_id: meetingId },
  run: async ({ http, input }) =>
    toMeeting(await http.json({ method: 'GET', path: expandPath('/v2/meetings/{meeting_id}', input) })),
});
