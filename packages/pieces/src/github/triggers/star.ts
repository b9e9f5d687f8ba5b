import { staticMultiSelect, trigger } from '@drawbridge/piece-kit';
import { repo } from '../properties.js';
import { repositoryHook, selected } from './repository-hook.js';

/** Runs when a user stars a repository: https://docs.github.com/webhooks/webhook-events-and-payloads#star */
export const star = trigger({
  kind: 'webhook',
  displayName: 'Star',
  description: 'Runs when a user stars a repository. sender is the user.',
  props: {
    repo,
    actions: staticMultiSelect('Changes', ['created', 'deleted'], { description: 'Defaults to created.' }),
  },
  sample: {
    action: 'created',
    starred_at: '2026-01-31T09:00:00Z',
    repository: { id: 1296269, name: 'hello-world', full_name: 'octocat/hello-world' },
    sender: { login: 'octocat', id: 1 },
  },
  ...repositoryHook('star', selected('created')),
});
