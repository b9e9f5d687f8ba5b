import { expandPath, newSince, textAt, trigger } from '@drawbridge/piece-kit';
import { project } from '../properties.js';
import { TASK, toTask } from '../tasks.js';

/** Maximum number of tasks that one poll reads. */
const LIMIT = 1_000;

/** Runs when a task is added to a project: https://acme.example/docs/tasks#list */
export const newTask = trigger({
  kind: 'polling',
  displayName: 'New task',
  description: 'Runs when a task is added to a project.',
  props: { project },
  sample: TASK,
  poll: newSince({
    list: ({ http, input }) => {
      return http.pages({ method: 'GET', path: expandPath('/projects/{project}/tasks', input) }, LIMIT);
    },
    time: (task) => textAt(task, 'created_at'),
    id: (task) => textAt(task, 'id'),
    data: toTask,
  }),
});
