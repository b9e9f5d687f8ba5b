import { action, dropdown, InputError, textAt } from '@drawbridge/piece-kit';
import { isSprint, newIssueFields } from '../fields.js';
import { create, newIssue, toFields } from '../new-issue.js';
import { sprints } from '../options.js';

/**
 * Creates an issue with its sprint as a field, so that no issue is created if the sprint cannot be set:
 * https://developer.atlassian.com/cloud/jira/platform/rest/v3/api-group-issues/#api-rest-api-3-issue-post
 */
export const createSprintIssue = action({
  displayName: 'Create issue in sprint',
  description: 'Creates an issue in an active or future sprint of a project and returns its key.',
  category: 'write',
  adds: true,
  props: {
    ...newIssue,
    sprint: dropdown('Sprint', {
      required: true,
      description: 'The id of an incomplete sprint, such as 37.',
      pattern: '^[0-9]{1,15}$',
      options: sprints,
    }),
  },
  run: async ({ http, input: { sprint, ...given } }) => {
    const known = await newIssueFields(http, given.project, given.type);
    const field = textAt(known.find(isSprint) ?? null, 'fieldId');
    if (!field) throw new InputError('type', 'has no sprint: the field is not on the screen that creates such issues');
    // Jira accepts the id only as a number.
    return { ...(await create(http, { ...toFields(given, known), [field]: Number(sprint) })), sprint };
  },
});
