import { action, checkbox } from '@drawbridge/piece-kit';
import { WHOLE_TASK } from '../answer-fields.js';
import { formWorkspace, newName, task, TASK_FIELDS, taskFields } from '../properties.js';

/** Changes fields of a task: https://developers.asana.com/reference/updatetask */
export const updateTask = action({
  displayName: 'Update task',
  description: 'Changes fields of a task and returns it. Omitted fields stay unchanged.',
  category: 'write',
  idempotent: true,
  recipients: ['assignee'],
  props: {
    workspace: formWorkspace,
    task,
    name: newName,
    ...taskFields,
    completed: checkbox('Completed', { description: 'Completes the task, or reopens it.' }),
  },
  call: {
    method: 'PUT',
    path: '/api/1.0/tasks/{task}',
    query: WHOLE_TASK,
    body: ['name', ...TASK_FIELDS, 'completed'],
    bodyIn: 'data',
    result: 'data',
  },
});
