import { action, graphqlRequest, InputError, type JsonObject, listAt, member } from '@drawbridge/piece-kit';
import { GET_ISSUE } from '../documents.js';
import { issueId } from '../properties.js';

/** Returns an issue with its first 50 comments: https://linear.app/developers/graphql#queries-and-mutations */
export const getIssue = action({
  displayName: 'Get issue',
  description: 'Reads an issue with its state, assignee, labels and first 50 comments.',
  category: 'read',
  props: { id: issueId },
  run: async ({ http, input }) => {
    const issue = member(await http.json(graphqlRequest(GET_ISSUE, input)), 'data', 'issue');
    if (!issue) throw new InputError('id', 'is not an issue that the connection can read');
    return { ...(issue as JsonObject), comments: listAt(issue, 'comments', 'nodes') };
  },
});
