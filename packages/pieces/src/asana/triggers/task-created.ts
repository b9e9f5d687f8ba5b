import { member, trigger } from '@drawbridge/piece-kit';
import { place, projectHook } from './project-hook.js';

/**
 * Runs when a task is added to a project. Events with another parent than the project are ignored, because adding a task to a section or to another
 * task also creates an event: https://developers.asana.com/reference/events
 */
export const taskCreated = trigger({
  kind: 'webhook',
  displayName: 'Task created',
  description:
    'Runs when a task is created in a project or added to it. The event has the gid of the task as "resource".',
  props: place,
  sample: {
    user: { gid: '1201', resource_type: 'user' },
    created_at: '2026-01-31T09:00:00.000Z',
    action: 'added',
    resource: { gid: '1301', resource_type: 'task', resource_subtype: 'default_task' },
    parent: { gid: '1401', resource_type: 'project' },
  },
  ...projectHook({
    filter: () => ({ resource_type: 'task', action: 'added' }),
    isWanted: (event, { project }) => member(event, 'parent', 'gid') === project,
  }),
});
