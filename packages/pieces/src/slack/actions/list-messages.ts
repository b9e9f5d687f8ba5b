import { action, dateTime, number, collect } from '@drawbridge/piece-kit';
import { byCursor } from '../paging.js';
import { channel } from '../properties.js';

/** Lists the messages of a channel: https://docs.slack.dev/reference/methods/conversations.history */
export const listMessages = action({
  displayName: 'List messages',
  description: 'Lists the messages of a channel, newest first, without replies in threads.',
  category: 'read',
  props: {
    channel,
    oldest: dateTime('From'),
    latest: dateTime('Until'),
    limit: number('Limit', {
      description: 'Defaults to 100.',
      integer: true,
      minimum: 1,
      maximum: 1000,
    }),
  },
  run: async ({ http, input: { channel: id, oldest, latest, limit = 100 } }) => {
    const query = { channel: id, oldest: toSeconds(oldest), latest: toSeconds(latest), limit: Math.min(limit, 200) };
    return collect(
      http.pages({ method: 'GET', path: '/api/conversations.history', query }, limit, byCursor('messages')),
    );
  },
});

const toSeconds = (moment: string | undefined): number | undefined =>
  moment === undefined ? undefined : Date.parse(moment) / 1000;
