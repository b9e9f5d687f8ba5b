import { action } from '@drawbridge/piece-kit';
import { WHOLE_TASK } from '../answer-fields.js';
import { formWorkspace, task } from '../properties.js';

/** Marks a task as completed: https://developers.asana.com/reference/updatetask */
export const completeTask = action({
  displayName: 'Complete task',
  description: 'Marks a task as completed and returns it.',
  category: 'write',
  idempotent: true,
  props: { workspace: formWorkspace, task },
  call: {
    method: 'PUT',
    path: '/api/1.0/tasks/{task}',
    query: WHOLE_TASK,
    body: { completed: { constant: true } },
    bodyIn: 'data',
    result: 'data',
  },
});
