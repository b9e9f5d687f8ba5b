import { action, staticDropdown } from '@drawbridge/piece-kit';
import { WHOLE_TASK } from '../answer-fields.js';
import { followers, name, projects, TASK_FIELDS, tags, taskFields, workspace } from '../properties.js';

/** Creates a task in a workspace, and optionally in projects: https://developers.asana.com/reference/createtask */
export const createTask = action({
  displayName: 'Create task',
  description: 'Creates a task in a workspace, and in projects if they are given. Returns it with its gid.',
  category: 'write',
  adds: true,
  recipients: ['assignee', 'followers'],
  props: {
    workspace,
    name,
    projects,
    ...taskFields,
    followers,
    tags,
    resource_subtype: staticDropdown(
      'Type',
      [
        { label: 'Task', value: 'default_task' },
        { label: 'Milestone', value: 'milestone' },
        { label: 'Approval', value: 'approval' },
      ],
      { description: 'Defaults to Task.' },
    ),
  },
  call: {
    method: 'POST',
    path: '/api/1.0/tasks',
    query: WHOLE_TASK,
    body: ['workspace', 'name', 'projects', ...TASK_FIELDS, 'followers', 'tags', 'resource_subtype'],
    bodyIn: 'data',
    result: 'data',
  },
});
