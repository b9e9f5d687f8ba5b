import { action, dropdown, shortText, graphqlRequest } from '@drawbridge/piece-kit';
import { ISSUE_UPDATE } from '../documents.js';
import { teams } from '../options.js';
import { issueFields, issueId } from '../properties.js';
import { resultOf } from '../result-of.js';

export const updateIssue = action({
  displayName: 'Update issue',
  description: 'Changes fields of an issue and returns it. Given labels replace the existing ones.',
  category: 'write',
  idempotent: true,
  props: {
    id: issueId,
    teamId: dropdown('Team', { description: 'The id of a team. Moves the issue to this team.', options: teams }),
    title: shortText('Title', { minLength: 1, maxLength: 512 }),
    ...issueFields,
  },
  run: async ({ http, input: { id, ...input } }) =>
    resultOf(await http.json(graphqlRequest(ISSUE_UPDATE, { id, input })), 'issueUpdate', 'issue'),
});
