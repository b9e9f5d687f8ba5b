import { action, expandPath } from '@drawbridge/piece-kit';
import { toMeeting, toMeetingBody } from '../meetings.js';
import { meetingFields, topicRequired, user } from '../properties.js';

const [INSTANT, SCHEDULED] = [1, 2];

/** Schedules a meeting, or starts one now: https://developers.zoom.us/docs/api/meetings/#tag/meetings/POST/users/{userId}/meetings */
export const createMeeting = action({
  displayName: 'Create meeting',
  description: 'Schedules a meeting, or starts one now, and returns its number and the link to join.',
  category: 'send',
  recipients: ['alternative_hosts'],
  props: { topic: topicRequired, ...meetingFields, user },
  run: async ({ http, input: { user: userId = 'me', ...given } }) => {
    const json = { type: given.start_time ? SCHEDULED : INSTANT, ...toMeetingBody(given) };
    const path = expandPath('/v2/users/{userId}/meetings', { userId });
    return toMeeting(await http.json({ method: 'POST', path, json }));
  },
});
