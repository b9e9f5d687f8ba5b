import { action, collect, shortText, staticDropdown } from '@drawbridge/piece-kit';
import { limit, onlyProject, PAGE } from '../properties.js';
import { inProject, toIssue } from '../records.js';

/** Finds issues by words of their title and description, labels, state or assignee: https://docs.gitlab.com/api/issues/#list-issues */
export const searchIssues = action({
  displayName: 'Search issues',
  description: 'Finds issues by words of their title and description, labels, state or assignee.',
  category: 'read',
  props: {
    text: shortText('Text', { description: 'Words of the title or description.', maxLength: 500 }),
    project: onlyProject,
    state: staticDropdown('State', ['opened', 'closed', 'all'], { description: 'Defaults to all.' }),
    labels: shortText('Labels', { description: 'Names separated by commas: issues that have all.', maxLength: 1_000 }),
    assignee: shortText('Assignee', { description: 'The user name of an assignee.', maxLength: 255 }),
    order: staticDropdown('Order', ['created_at', 'updated_at', 'due_date', 'priority'], {
      description: 'Last first. Defaults to created_at.',
    }),
    limit,
  },
  run: async ({ http, input: { text, project, state, labels, assignee, order, limit: count = 20 } }) => {
    const query = {
      ...{ search: text, state, labels, assignee_username: assignee, order_by: order },
      per_page: Math.min(count, PAGE),
    };
    const request = project
      ? { method: 'GET', path: inProject(project, '/issues'), query }
      : { method: 'GET', path: '/api/v4/issues', query: { ...query, scope: 'all' } };
    return (await collect(http.pages(request, count))).map(toIssue);
  },
});
