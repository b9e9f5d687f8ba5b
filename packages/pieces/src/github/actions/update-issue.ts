import { action, shortText, staticDropdown } from '@drawbridge/piece-kit';
import { issueFields, issueNumber, repo } from '../properties.js';

/** Changes, closes or reopens an issue: https://docs.github.com/rest/issues/issues#update-an-issue */
export const updateIssue = action({
  displayName: 'Update issue',
  description:
    'Changes, closes or reopens an issue, and returns it. Given labels and assignees replace the existing ones.',
  category: 'write',
  idempotent: true,
  props: {
    repo,
    issue_number: issueNumber,
    title: shortText('Title', { minLength: 1, maxLength: 256 }),
    ...issueFields,
    state: staticDropdown('State', ['open', 'closed']),
    state_reason: staticDropdown('Reason', ['completed', 'not_planned', 'reopened'], {
      description: 'The reason to close or reopen.',
    }),
  },
  call: {
    method: 'PATCH',
    path: '/repos/{+repo}/issues/{issue_number}',
    body: ['title', 'body', 'labels', 'assignees', 'milestone', 'state', 'state_reason'],
  },
});
