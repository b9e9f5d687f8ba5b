import { action, shortText, graphqlRequest } from '@drawbridge/piece-kit';
import { ISSUE_CREATE } from '../documents.js';
import { issueFields, team } from '../properties.js';
import { resultOf } from '../result-of.js';

export const createIssue = action({
  displayName: 'Create issue',
  description: 'Creates an issue in a team and returns it with its identifier.',
  category: 'write',
  adds: true,
  props: { teamId: team, title: shortText('Title', { required: true, minLength: 1, maxLength: 512 }), ...issueFields },
  run: async ({ http, input }) =>
    resultOf(await http.json(graphqlRequest(ISSUE_CREATE, { input })), 'issueCreate', 'issue'),
});
