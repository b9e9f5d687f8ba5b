import { action, collect, expandPath } from '@drawbridge/piece-kit';
import { pickFields, same } from '../../pick-fields.js';
import { limit, team } from '../properties.js';

const FIELDS = ['id', 'displayName', 'description', 'membershipType', 'webUrl', 'createdDateTime'];

/** Lists the channels of a team: https://learn.microsoft.com/graph/api/channel-list */
export const listChannels = action({
  displayName: 'List channels',
  description: 'Lists the channels of a team.',
  category: 'read',
  props: { team_id: team, limit },
  run: async ({ http, input: { team_id, limit: count = 25 } }) => {
    const path = expandPath('/v1.0/teams/{team_id}/channels', { team_id });
    const channels = await collect(http.pages({ method: 'GET', path, query: { $select: FIELDS.join(',') } }, count));
    return channels.map((channel) => pickFields(channel, same(...FIELDS)));
  },
});
