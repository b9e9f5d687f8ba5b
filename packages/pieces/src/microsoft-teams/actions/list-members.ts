import { action, collect, expandPath } from '@drawbridge/piece-kit';
import { limit, team } from '../properties.js';
import { toMember } from '../members.js';

/** Lists the members of a team with their email addresses and roles: https://learn.microsoft.com/graph/api/team-list-members */
export const listMembers = action({
  displayName: 'List members',
  description: 'Lists the members of a team with their email addresses and roles.',
  category: 'read',
  props: { team_id: team, limit },
  run: async ({ http, input: { team_id, limit: count = 25 } }) => {
    const path = expandPath('/v1.0/teams/{team_id}/members', { team_id });
    return (await collect(http.pages({ method: 'GET', path }, count))).map(toMember);
  },
});
