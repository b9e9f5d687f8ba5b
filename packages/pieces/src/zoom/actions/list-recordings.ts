import { action, collect, expandPath, shortText } from '@drawbridge/piece-kit';
import { PAGE, tokenPages } from '../meetings.js';
import { limit, user } from '../properties.js';
import { toRecording } from '../recordings.js';

const DATE = { pattern: '^[0-9]{4}-[0-9]{2}-[0-9]{2}$' } as const;

/** Lists the cloud recordings of a user: https://developers.zoom.us/docs/api/meetings/#tag/cloud-recording/GET/users/{userId}/recordings */
export const listRecordings = action({
  displayName: 'List recordings',
  description: 'Lists the cloud recordings of a user, with their files.',
  category: 'read',
  props: {
    from: shortText('From', { ...DATE, required: true, description: 'The first day: 2026-01-31.' }),
    to: shortText('To', { ...DATE, description: 'The last day, at most a month later. Defaults to today.' }),
    user,
    limit,
  },
  run: async ({ http, input: { user: userId = 'me', limit: count = 100, ...between } }) => {
    const path = expandPath('/v2/users/{userId}/recordings', { userId });
    const query = { ...between, page_size: Math.min(count, PAGE) };
    return (await collect(http.pages({ method: 'GET', path, query }, count, tokenPages('meetings')))).map(toRecording);
  },
});
