import { action, dateTime, longText, number } from '@drawbridge/piece-kit';
import { pickFields, same } from '../../pick-fields.js';
import { toDocument } from '../document.js';
import { toJiraTime } from '../fields.js';
import { issuePath } from '../issue.js';
import { issue } from '../properties.js';

/**
 * Records time that was spent on an issue:
 * https://developer.atlassian.com/cloud/jira/platform/rest/v3/api-group-issue-worklogs/#api-rest-api-3-issue-issueidorkey-worklog-post
 */
export const addWorklog = action({
  displayName: 'Log work',
  description: 'Records time that was spent on an issue. Returns the worklog.',
  category: 'write',
  adds: true,
  props: {
    issue,
    minutes: number('Minutes', {
      required: true,
      description: 'The time that was spent.',
      integer: true,
      minimum: 1,
      maximum: 100_000,
    }),
    started: dateTime('Started', { description: 'When the work began. Defaults to now.' }),
    comment: longText('Comment', { description: 'Markdown.', maxLength: 32_000 }),
  },
  run: async ({ http, input: { issue: key, minutes, started, comment } }) => {
    const json = {
      timeSpentSeconds: minutes * 60,
      ...(started && { started: toJiraTime(started) }),
      ...(comment && { comment: toDocument(comment) }),
    };
    const answer = await http.json({ method: 'POST', path: issuePath(key, '/worklog'), json });
    return pickFields(answer, same('id', 'issueId', 'timeSpent', 'started'));
  },
});
