import { action } from '@drawbridge/piece-kit';
import { issuePath } from '../issue.js';
import { assignee, issue } from '../properties.js';

/**
 * Assigns an issue to a user, or removes its assignee:
 * https://developer.atlassian.com/cloud/jira/platform/rest/v3/api-group-issues/#api-rest-api-3-issue-issueidorkey-assignee-put
 */
export const assign = action({
  displayName: 'Assign',
  description: 'Assigns an issue to a user, or to none without an assignee. Returns both ids.',
  category: 'write',
  idempotent: true,
  props: { issue, assignee: assignee('issue') },
  run: async ({ http, input: { issue: key, assignee: accountId = null } }) => {
    await http.request({ method: 'PUT', path: issuePath(key, '/assignee'), json: { accountId } });
    return { issue: key, assigneeId: accountId };
  },
});
