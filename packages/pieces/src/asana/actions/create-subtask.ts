import { action } from '@drawbridge/piece-kit';
import { WHOLE_TASK } from '../answer-fields.js';
import { followers, formWorkspace, name, task, TASK_FIELDS, taskFields } from '../properties.js';

/** Adds a subtask to a task: https://developers.asana.com/reference/createsubtaskfortask */
export const createSubtask = action({
  displayName: 'Create subtask',
  description: 'Adds a subtask to a task and returns it with its gid.',
  category: 'write',
  adds: true,
  recipients: ['assignee', 'followers'],
  props: { workspace: formWorkspace, task, name, ...taskFields, followers },
  call: {
    method: 'POST',
    path: '/api/1.0/tasks/{task}/subtasks',
    query: WHOLE_TASK,
    body: ['name', ...TASK_FIELDS, 'followers'],
    bodyIn: 'data',
    result: 'data',
  },
});
