import { action, collect, connectionPaging, graphqlRequest } from '@drawbridge/piece-kit';
import { USERS } from '../documents.js';
import { limit } from '../properties.js';

/** Lists the users of the workspace: https://linear.app/developers/graphql#queries-and-mutations */
export const listUsers = action({
  displayName: 'List users',
  description: 'Lists the users of the workspace, with their ids and email addresses.',
  category: 'read',
  props: { limit },
  run: async ({ http, input: { limit: count = 50 } }) =>
    collect(http.pages(graphqlRequest(USERS, { first: Math.min(count, 50) }), count, connectionPaging('users'))),
});
