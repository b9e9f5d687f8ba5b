import { member, scalarAt, trigger } from '@drawbridge/piece-kit';
import { toIssue } from '../issue.js';
import { project } from '../properties.js';
import { issueWebhook, userOf } from './issue-webhook.js';

export const issueCreated = trigger({
  kind: 'webhook',
  displayName: 'Issue created',
  description: 'Runs when an issue is created in a project. Needs an OAuth connection.',
  props: { project },
  sample: {
    issue: { id: '10002', key: 'ENG-1', summary: 'Broken', status: 'To Do', type: 'Bug', project: 'ENG' },
    user: { accountId: '5b10a2844c20165700ede21g', displayName: 'Ada Lovelace' },
  },
  ...issueWebhook('jira:issue_created', (sent) => {
    const id = scalarAt(sent, 'issue', 'id');
    return id === undefined ? undefined : { id, data: { issue: toIssue(member(sent, 'issue')!), user: userOf(sent) } };
  }),
});
