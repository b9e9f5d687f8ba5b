import { staticMultiSelect, trigger } from '@drawbridge/piece-kit';
import { repo } from '../properties.js';
import { repositoryHook, selected } from './repository-hook.js';

/** Runs when a comment on an issue or pull request is added: https://docs.github.com/webhooks/webhook-events-and-payloads#issue_comment */
export const issueComment = trigger({
  kind: 'webhook',
  displayName: 'Comment on an issue',
  description:
    'Runs when a comment on an issue or pull request is added. issue.pull_request is present for a pull request.',
  props: {
    repo,
    actions: staticMultiSelect('Changes', ['created', 'edited', 'deleted'], { description: 'Defaults to created.' }),
  },
  sample: {
    action: 'created',
    issue: {
      number: 1347,
      state: 'open',
      title: 'Found a bug',
      html_url: 'https://github.com/octocat/hello-world/issues/1347',
      user: { login: 'octocat', id: 1 },
    },
    comment: {
      id: 492700400,
      body: 'Me too.',
      html_url: 'https://github.com/octocat/hello-world/issues/1347#issuecomment-492700400',
      user: { login: 'octocat', id: 1 },
      created_at: '2026-01-31T09:00:00Z',
    },
    repository: { id: 1296269, name: 'hello-world', full_name: 'octocat/hello-world' },
    sender: { login: 'octocat', id: 1 },
  },
  ...repositoryHook('issue_comment', selected('created')),
});
