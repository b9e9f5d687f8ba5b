import { action, collect, expandPath } from '@drawbridge/piece-kit';
import { limit, project } from '../properties.js';
import { toTask } from '../tasks.js';

/** Lists the tasks of a project: https://acme.example/docs/tasks#list */
export const listTasks = action({
  displayName: 'List tasks',
  description: 'Lists the tasks of a project, the newest first.',
  category: 'read',
  props: { project, limit },
  run: async ({ http, input: { project: id, limit: count = 100 } }) => {
    const path = expandPath('/projects/{id}/tasks', { id });
    return (await collect(http.pages({ method: 'GET', path }, count))).map(toTask);
  },
});
