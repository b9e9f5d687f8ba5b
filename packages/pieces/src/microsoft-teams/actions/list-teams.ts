import { action, collect } from '@drawbridge/piece-kit';
import { pickFields, same } from '../../pick-fields.js';
import { limit } from '../properties.js';

/** Lists the teams of the connected user. This list has no page size: https://learn.microsoft.com/graph/api/user-list-joinedteams */
export const listTeams = action({
  displayName: 'List teams',
  description: 'Lists the teams of the connected user.',
  category: 'read',
  props: { limit },
  run: async ({ http, input: { limit: count = 25 } }) => {
    const teams = await collect(http.pages({ method: 'GET', path: '/v1.0/me/joinedTeams' }, count));
    return teams.map((team) => pickFields(team, same('id', 'displayName', 'description', 'isArchived')));
  },
});
