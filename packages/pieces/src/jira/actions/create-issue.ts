import { action } from '@drawbridge/piece-kit';
import { newIssueFields } from '../fields.js';
import { create, newIssue, toFields } from '../new-issue.js';

/** Creates an issue in a project: https://developer.atlassian.com/cloud/jira/platform/rest/v3/api-group-issues/#api-rest-api-3-issue-post */
export const createIssue = action({
  displayName: 'Create issue',
  description: 'Creates an issue in a project and returns its key.',
  category: 'write',
  adds: true,
  props: newIssue,
  run: async ({ http, input }) => {
    const known = input.fields ? await newIssueFields(http, input.project, input.type) : [];
    return create(http, toFields(input, known));
  },
});
