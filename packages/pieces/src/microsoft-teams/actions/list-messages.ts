import { action, collect, expandPath } from '@drawbridge/piece-kit';
import { toMessage } from '../messages.js';
import { channel, limit, team } from '../properties.js';

/** The maximum page size for messages. */
const PAGE = 50;

/** Lists the messages of a channel without their replies: https://learn.microsoft.com/graph/api/channel-list-messages */
export const listMessages = action({
  displayName: 'List messages',
  description: 'Lists the messages of a channel without their replies, the most recently changed thread first.',
  category: 'read',
  props: { team_id: team, channel_id: channel, limit },
  run: async ({ http, input: { limit: count = 25, ...place } }) => {
    const path = expandPath('/v1.0/teams/{team_id}/channels/{channel_id}/messages', place);
    const request = { method: 'GET', path, query: { $top: Math.min(count, PAGE) } } as const;
    return (await collect(http.pages(request, count))).map(toMessage);
  },
});
