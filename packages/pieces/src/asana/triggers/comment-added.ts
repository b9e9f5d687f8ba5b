import { trigger } from '@drawbridge/piece-kit';
import { place, projectHook } from './project-hook.js';

/** Runs when a comment is added to a task in a project: https://developers.asana.com/reference/stories */
export const commentAdded = trigger({
  kind: 'webhook',
  displayName: 'Comment added',
  description:
    'Runs when a comment is added to a task in a project. The event has the gid of the comment as "resource" and of the task as "parent".',
  props: place,
  sample: {
    user: { gid: '1201', resource_type: 'user' },
    created_at: '2026-01-31T09:00:00.000Z',
    action: 'added',
    resource: { gid: '1501', resource_type: 'story', resource_subtype: 'comment_added' },
    parent: { gid: '1301', resource_type: 'task', resource_subtype: 'default_task' },
  },
  ...projectHook({
    filter: () => ({ resource_type: 'story', resource_subtype: 'comment_added', action: 'added' }),
  }),
});
