import { action, checkbox, dateTime, shortText, staticDropdown } from '@drawbridge/piece-kit';
import { LISTED_TASK } from '../answer-fields.js';
import { PAGE } from '../paging.js';
import { assignedTo, day, limit, project, workspace } from '../properties.js';

/** Finds tasks of a workspace by words and properties: https://developers.asana.com/reference/searchtasksforworkspace */
export const searchTasks = action({
  displayName: 'Search tasks',
  description:
    'Finds tasks of a workspace by words and properties. Needs a paid plan; changes are found after a minute.',
  category: 'read',
  props: {
    workspace,
    text: shortText('Words', { description: 'Words in the names and notes of tasks.' }),
    assignee: assignedTo,
    project,
    completed: checkbox('Completed', { description: 'Only completed tasks, or only open ones.' }),
    due_after: day('Due after', 'Due after this day'),
    due_before: day('Due before', 'Due before this day'),
    modified_after: dateTime('Changed after', { description: 'Only tasks that were changed after this time.' }),
    sort_by: staticDropdown(
      'Sort by',
      ['modified_at', 'created_at', 'completed_at', 'due_date', 'likes', 'relevance'],
      {
        description: 'Defaults to modified_at.',
      },
    ),
    sort_ascending: checkbox('Ascending', { description: 'Sorts in ascending order. Defaults to false.' }),
    limit: limit(PAGE),
  },
  call: {
    method: 'GET',
    path: '/api/1.0/workspaces/{workspace}/tasks/search',
    query: {
      text: 'text',
      'assignee.any': 'assignee',
      'projects.any': 'project',
      completed: 'completed',
      'due_on.after': 'due_after',
      'due_on.before': 'due_before',
      'modified_at.after': 'modified_after',
      sort_by: 'sort_by',
      sort_ascending: 'sort_ascending',
      limit: 'limit',
      ...LISTED_TASK,
    },
    result: 'data',
  },
});
