import { action, checkbox } from '@drawbridge/piece-kit';
import { assignees, description, dueDate, labels, project, title } from '../properties.js';
import { inProject, toIssue } from '../records.js';

/** Creates an issue in a project: https://docs.gitlab.com/api/issues/#create-an-issue */
export const createIssue = action({
  displayName: 'Create issue',
  description: 'Creates an issue in a project and returns its number and URL.',
  category: 'write',
  adds: true,
  props: {
    project,
    title,
    description,
    labels,
    assignee_ids: assignees,
    due_date: dueDate,
    confidential: checkbox('Confidential', { description: 'Only members of the project see it. Defaults to false.' }),
  },
  run: async ({ http, input: { project: id, labels: names, assignee_ids, ...fields } }) => {
    const json = {
      ...fields,
      ...(names && { labels: names.join(',') }),
      ...(assignee_ids && { assignee_ids: assignee_ids.map(Number) }),
    };
    return toIssue(await http.json({ method: 'POST', path: inProject(id, '/issues'), json }));
  },
});
