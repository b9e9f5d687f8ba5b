import { action, dateTime, collect } from '@drawbridge/piece-kit';
import { itemLimit } from '../../item-limit.js';
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
    limit: itemLimit({ defaultsTo: 100, maximum: 1_000 }),
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
