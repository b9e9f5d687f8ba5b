import { staticMultiSelect, trigger } from '@drawbridge/piece-kit';
import { place, projectHook } from './project-hook.js';

const FIELDS = [
  'name',
  'notes',
  'assignee',
  'completed',
  'due_on',
  'due_at',
  'start_on',
  'custom_fields',
  'tags',
] as const;

/** Runs when a field of a task in a project is changed: https://developers.asana.com/reference/events */
export const taskChanged = trigger({
  kind: 'webhook',
  displayName: 'Task changed',
  description:
    'Runs when a field of a task in a project is changed. The event has the gid of the task as "resource" and the field as "change".',
  props: {
    ...place,
    fields: staticMultiSelect('Fields', FIELDS, {
      description: 'Only changes of these fields. Defaults to all fields.',
    }),
  },
  sample: {
    user: { gid: '1201', resource_type: 'user' },
    created_at: '2026-01-31T09:00:00.000Z',
    action: 'changed',
    resource: { gid: '1301', resource_type: 'task', resource_subtype: 'default_task' },
    parent: null,
    change: { field: 'assignee', action: 'changed', new_value: { gid: '1202', resource_type: 'user' } },
  },
  ...projectHook<{ workspace: string; project: string; fields?: string[] }>({
    filter: ({ fields = [] }) => ({ resource_type: 'task', action: 'changed', ...(fields.length > 0 && { fields }) }),
  }),
});
