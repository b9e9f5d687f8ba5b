import { staticMultiSelect, trigger } from '@drawbridge/piece-kit';
import { repo } from '../properties.js';
import { repositoryHook, selected } from './repository-hook.js';

const ACTIONS = ['published', 'released', 'prereleased', 'created', 'edited', 'deleted', 'unpublished'] as const;

/**
 * Runs only for the action `published` by default, because GitHub sends several actions when a release is published:
 * https://docs.github.com/webhooks/webhook-events-and-payloads#release
 */
export const release = trigger({
  kind: 'webhook',
  displayName: 'Release',
  description: 'Runs when a release or pre-release is published in a repository.',
  props: { repo, actions: staticMultiSelect('Changes', ACTIONS, { description: 'Defaults to published.' }) },
  sample: {
    action: 'published',
    release: {
      id: 1,
      tag_name: 'v1.2.0',
      target_commitish: 'main',
      name: 'Version 1.2',
      body: 'What is new.',
      draft: false,
      prerelease: false,
      html_url: 'https://github.com/octocat/hello-world/releases/tag/v1.2.0',
      author: { login: 'octocat', id: 1 },
      published_at: '2026-01-31T09:00:00Z',
    },
    repository: { id: 1296269, name: 'hello-world', full_name: 'octocat/hello-world' },
    sender: { login: 'octocat', id: 1 },
  },
  ...repositoryHook('release', selected('published')),
});
