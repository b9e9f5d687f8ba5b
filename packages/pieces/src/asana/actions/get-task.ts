import { action } from '@drawbridge/piece-kit';
import { WHOLE_TASK } from '../answer-fields.js';
import { formWorkspace, task } from '../properties.js';

/** Returns a task with its details: https://developers.asana.com/reference/gettask */
export const getTask = action({
  displayName: 'Get task',
  description: 'Reads a task with its notes, assignee, dates, projects, followers and custom fields.',
  category: 'read',
  props: { workspace: formWorkspace, task },
  call: { method: 'GET', path: '/api/1.0/tasks/{task}', query: WHOLE_TASK, result: 'data' },
});
