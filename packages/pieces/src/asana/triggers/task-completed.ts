import { trigger } from '@drawbridge/piece-kit';
import { place, projectHook } from './project-hook.js';

/**
 * Receives the stories (activity entries) of tasks instead of their changes, because the change of a task does not state whether the task was
 * completed or reopened: https://developers.asana.com/reference/stories
 */
export const taskCompleted = trigger({
  kind: 'webhook',
  displayName: 'Task completed',
  description: 'Runs when a task in a project is marked as completed. The event has the gid of the task as "parent".',
  props: place,
  sample: {
    user: { gid: '1201', resource_type: 'user' },
    created_at: '2026-01-31T09:00:00.000Z',
    action: 'added',
    resource: { gid: '1501', resource_type: 'story', resource_subtype: 'marked_complete' },
    parent: { gid: '1301', resource_type: 'task', resource_subtype: 'default_task' },
  },
  ...projectHook({
    filter: () => ({ resource_type: 'story', resource_subtype: 'marked_complete', action: 'added' }),
  }),
});
