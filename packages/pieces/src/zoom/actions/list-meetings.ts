import { action, collect, expandPath, staticDropdown } from '@drawbridge/piece-kit';
import { PAGE, toMeeting, tokenPages } from '../meetings.js';
import { limit, user } from '../properties.js';

/** Lists the meetings of a user: https://developers.zoom.us/docs/api/meetings/#tag/meetings/GET/users/{userId}/meetings */
export const listMeetings = action({
  displayName: 'List meetings',
  description: 'Lists the meetings of a user.',
  category: 'read',
  props: {
    type: staticDropdown('Type', ['scheduled', 'live', 'upcoming'], {
      description: 'Which meetings. Defaults to scheduled.',
    }),
    user,
    limit,
  },
  run: async ({ http, input: { type, user: userId = 'me', limit: count = 100 } }) => {
    const path = expandPath('/v2/users/{userId}/meetings', { userId });
    const query = { type, page_size: Math.min(count, PAGE) };
    return (await collect(http.pages({ method: 'GET', path, query }, count, tokenPages('meetings')))).map(toMeeting);
  },
});
