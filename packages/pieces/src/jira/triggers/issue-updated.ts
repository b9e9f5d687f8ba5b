import { member, scalarAt, trigger } from '@drawbridge/piece-kit';
import { toIssue } from '../issue.js';
import { project } from '../properties.js';
import { changesOf, issueWebhook, userOf } from './issue-webhook.js';

export const issueUpdated = trigger({
  kind: 'webhook',
  displayName: 'Issue updated',
  description: 'Runs when an issue of a project changes, with the changes. Needs an OAuth connection.',
  props: { project },
  sample: {
    issue: { id: '10002', key: 'ENG-1', summary: 'Broken', status: 'Done', type: 'Bug', project: 'ENG' },
    user: { accountId: '5b10a2844c20165700ede21g', displayName: 'Ada Lovelace' },
    changes: [{ field: 'status', from: 'To Do', to: 'Done' }],
  },
  ...issueWebhook('jira:issue_updated', (sent) => {
    const [issue, change] = [
      scalarAt(sent, 'issue', 'id'),
      scalarAt(sent, 'changelog', 'id') ?? scalarAt(sent, 'timestamp'),
    ];
    if (!issue || !change) return undefined;
    const data = { issue: toIssue(member(sent, 'issue')!), user: userOf(sent), changes: changesOf(sent) };
    return { id: `${issue} ${change}`, data };
  }),
});
