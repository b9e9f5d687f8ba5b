import { trigger } from '@drawbridge/piece-kit';
import { project } from '../properties.js';
import { projectHook } from './project-hook.js';

export const mergeRequest = trigger({
  kind: 'webhook',
  displayName: 'Merge request',
  description:
    'Runs when a merge request is opened, changed, approved, merged or closed: see "object_attributes.action".',
  props: { project },
  sample: {
    object_kind: 'merge_request',
    user: { id: 1, username: 'ada' },
    project: { id: 15, path_with_namespace: 'acme/app' },
    object_attributes: {
      ...{ id: 99, iid: 1, title: 'Fix the build', action: 'open', state: 'opened' },
      ...{ source_branch: 'fix', target_branch: 'main', url: 'https://gitlab.com/acme/app/-/merge_requests/1' },
    },
  },
  ...projectHook({ flags: ['merge_requests_events'], kind: 'merge_request' }),
});
