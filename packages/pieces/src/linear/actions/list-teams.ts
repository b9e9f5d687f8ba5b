import { action, collect, connectionPaging, graphqlRequest } from '@drawbridge/piece-kit';
import { TEAMS } from '../documents.js';
import { limit } from '../properties.js';

/** Lists the teams that the connected user can see: https://linear.app/developers/graphql#queries-and-mutations */
export const listTeams = action({
  displayName: 'List teams',
  description: 'Lists the teams that the connected user can see, with their ids and keys.',
  category: 'read',
  props: { limit },
  run: async ({ http, input: { limit: count = 50 } }) =>
    collect(http.pages(graphqlRequest(TEAMS, { first: Math.min(count, 50) }), count, connectionPaging('teams'))),
});
