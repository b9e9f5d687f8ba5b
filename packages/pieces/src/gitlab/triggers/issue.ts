import { trigger } from '@drawbridge/piece-kit';
import { project } from '../properties.js';
import { projectHook } from './project-hook.js';

export const issue = trigger({
  kind: 'webhook',
  displayName: 'Issue',
  description:
    'Runs when an issue, also a confidential one, is opened, changed, closed or reopened: see "object_attributes.action".',
  props: { project },
  sample: {
    object_kind: 'issue',
    user: { id: 1, username: 'ada' },
    project: { id: 15, path_with_namespace: 'acme/app' },
    object_attributes: {
      ...{ id: 301, iid: 23, title: 'Broken', action: 'open', state: 'opened' },
      url: 'https://gitlab.com/acme/app/-/issues/23',
    },
    labels: [{ id: 206, title: 'API' }],
  },
  ...projectHook({ flags: ['issues_events', 'confidential_issues_events'], kind: 'issue' }),
});
