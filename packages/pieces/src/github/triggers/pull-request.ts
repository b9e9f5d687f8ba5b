import { trigger } from '@drawbridge/piece-kit';
import { repo } from '../properties.js';
import { repositoryHook } from './repository-hook.js';

/** Runs when a pull request is opened, changed, merged or closed: https://docs.github.com/webhooks/webhook-events-and-payloads#pull_request */
export const pullRequest = trigger({
  kind: 'webhook',
  displayName: 'Pull request',
  description: 'Runs when a pull request is opened, changed, merged or closed. "action" is the kind of change.',
  props: { repo },
  sample: {
    action: 'opened',
    number: 2,
    pull_request: {
      id: 279147437,
      number: 2,
      state: 'open',
      title: 'Update the README',
      body: 'It is out of date.',
      draft: false,
      merged: false,
      html_url: 'https://github.com/octocat/hello-world/pull/2',
      user: { login: 'octocat', id: 1 },
      head: { ref: 'changes', sha: 'ec26c3e57ca3a959ca5aad62de7213c562f8c821' },
      base: { ref: 'main', sha: 'f95f852bd8fca8fcc58a9a2d6c842781e32a215e' },
    },
    repository: { id: 1296269, name: 'hello-world', full_name: 'octocat/hello-world' },
    sender: { login: 'octocat', id: 1 },
  },
  ...repositoryHook('pull_request'),
});
