import { action, collect, dateTime, type InputOf } from '@drawbridge/piece-kit';
import { LISTED_TASK } from '../answer-fields.js';
import { PAGE } from '../paging.js';
import { assignedTo, limit, project, section, workspace } from '../properties.js';

const scope = { workspace, project, section, assignee: assignedTo };

/** Lists the tasks of a section, of a project, or of an assignee in a workspace: https://developers.asana.com/reference/gettasks */
export const listTasks = action({
  displayName: 'List tasks',
  description:
    'Lists the tasks of a section, of a project, or of an assignee in a workspace: the first of them that is given.',
  category: 'read',
  props: {
    ...scope,
    completed_since: dateTime('Completed since', {
      description: 'Only open tasks, and those that were completed since this time.',
    }),
    modified_since: dateTime('Changed since', { description: 'Only tasks that were changed since this time.' }),
    limit: limit(1_000, ' Defaults to 100.'),
  },
  run: async ({ http, input: { limit: count = PAGE, completed_since, modified_since, ...of } }) => {
    const since = { completed_since, modified_since };
    const query = {
      ...scopeOf(of),
      ...since,
      limit: Math.min(count, PAGE),
      opt_fields: LISTED_TASK.opt_fields.constant,
    };
    return collect(http.pages({ method: 'GET', path: '/api/1.0/tasks', query }, count));
  },
});

/** Returns only one filter, because Asana rejects several. */
function scopeOf({ workspace, project, section, assignee = 'me' }: InputOf<typeof scope>) {
  if (section) return { section };
  return project ? { project } : { assignee, workspace };
}
