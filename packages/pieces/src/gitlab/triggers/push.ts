import { shortText, textAt, trigger } from '@drawbridge/piece-kit';
import { project } from '../properties.js';
import { projectHook } from './project-hook.js';

export const push = trigger({
  kind: 'webhook',
  displayName: 'Push',
  description: 'Runs when commits are pushed to a branch of a project.',
  props: {
    project,
    branch: shortText('Branch', { description: 'Only pushes to this branch.', minLength: 1, maxLength: 255 }),
  },
  sample: {
    ...{ object_kind: 'push', ref: 'refs/heads/main', user_username: 'ada', total_commits_count: 1 },
    ...{ before: '95790bf891e76fee5e1747ab589903a6a1f80f22', after: 'da1560886d4f094c3e6c9ef40349f7d38b5d27d7' },
    project: { id: 15, path_with_namespace: 'acme/app', web_url: 'https://gitlab.com/acme/app' },
    commits: [{ id: 'da1560886d4f094c3e6c9ef40349f7d38b5d27d7', message: 'Fix the build', author: { name: 'Ada' } }],
  },
  ...projectHook(
    { flags: ['push_events'], kind: 'push' },
    (payload, { branch }: { project: string; branch?: string }) =>
      branch === undefined ? true : textAt(payload, 'ref') === `refs/heads/${branch}`,
  ),
});
