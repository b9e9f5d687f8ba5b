import { trigger } from '@drawbridge/piece-kit';
import { repo } from '../properties.js';
import { repositoryHook } from './repository-hook.js';

/** Runs when commits or tags are pushed to a repository: https://docs.github.com/webhooks/webhook-events-and-payloads#push */
export const push = trigger({
  kind: 'webhook',
  displayName: 'Push',
  description: 'Runs when commits or tags are pushed to a repository.',
  props: { repo },
  sample: {
    ref: 'refs/heads/main',
    before: '6113728f27ae82c7b1a177c8d03f9e96e0adf246',
    after: '59b20b8d5c6ff8d09518454d4dd8b7b30f095ab5',
    created: false,
    deleted: false,
    forced: false,
    repository: { id: 1296269, name: 'hello-world', full_name: 'octocat/hello-world' },
    pusher: { name: 'octocat', email: 'octocat@github.com' },
    commits: [
      {
        id: '59b20b8d5c6ff8d09518454d4dd8b7b30f095ab5',
        message: 'Fix all the bugs',
        timestamp: '2026-01-31T09:00:00+01:00',
        author: { name: 'Mona Lisa Octocat', email: 'octocat@github.com', username: 'octocat' },
        added: [],
        removed: [],
        modified: ['README.md'],
      },
    ],
  },
  ...repositoryHook('push'),
});
