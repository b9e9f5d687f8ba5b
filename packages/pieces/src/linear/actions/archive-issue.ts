import { action, graphqlRequest } from '@drawbridge/piece-kit';
import { ISSUE_ARCHIVE } from '../documents.js';
import { issueId } from '../properties.js';
import { resultOf } from '../result-of.js';

/** Archives an issue: https://linear.app/developers/graphql#queries-and-mutations */
export const archiveIssue = action({
  displayName: 'Archive issue',
  description: 'Archives an issue, which can be restored in Linear.',
  category: 'delete',
  idempotent: true,
  props: { id: issueId },
  run: async ({ http, input }) => {
    resultOf(await http.json(graphqlRequest(ISSUE_ARCHIVE, input)), 'issueArchive', 'entity');
    return { archived: true };
  },
});
