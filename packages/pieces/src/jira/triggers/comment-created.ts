import { member, scalarAt, textAt, trigger } from '@drawbridge/piece-kit';
import { toMarkdown } from '../document.js';
import { toIssue } from '../issue.js';
import { project } from '../properties.js';
import { issueWebhook } from './issue-webhook.js';

export const commentCreated = trigger({
  kind: 'webhook',
  displayName: 'Comment created',
  description: 'Runs when a comment is written on an issue of a project. Needs an OAuth connection.',
  props: { project },
  sample: {
    issue: { id: '10002', key: 'ENG-1', summary: 'Broken', status: 'To Do', project: 'ENG' },
    comment: { id: '10100', body: 'Fixed', author: 'Ada Lovelace', created: '2026-01-31T09:00:00.000+0000' },
  },
  ...issueWebhook('comment_created', (sent) => {
    const id = scalarAt(sent, 'comment', 'id');
    if (id === undefined) return undefined;
    const [author, created] = [textAt(sent, 'comment', 'author', 'displayName'), textAt(sent, 'comment', 'created')];
    const comment = {
      id,
      body: toMarkdown(member(sent, 'comment', 'body')),
      author: author ?? null,
      created: created ?? null,
    };
    return { id, data: { issue: toIssue(member(sent, 'issue') ?? {}), comment } };
  }),
});
