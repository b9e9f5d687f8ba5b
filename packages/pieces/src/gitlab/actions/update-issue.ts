import { action, multiSelect, staticDropdown } from '@drawbridge/piece-kit';
import { labels as labelOptions } from '../options.js';
import { assignees, description, dueDate, issueIid, newTitle, project } from '../properties.js';
import { inProject, toIssue } from '../records.js';

const LABELS = { options: labelOptions, refreshers: ['project'] } as const;

/** Changes, closes or reopens an issue: https://docs.gitlab.com/api/issues/#update-an-issue */
export const updateIssue = action({
  displayName: 'Update issue',
  description: 'Changes, closes or reopens an issue, and returns it.',
  category: 'write',
  idempotent: true,
  props: {
    project,
    issue: issueIid,
    title: newTitle,
    description,
    add_labels: multiSelect('Add labels', { ...LABELS, description: 'Names of labels to add.' }),
    remove_labels: multiSelect('Remove labels', { ...LABELS, description: 'Names of labels to remove.' }),
    assignee_ids: assignees,
    due_date: dueDate,
    state: staticDropdown('State', ['close', 'reopen'], { description: 'What to do with the issue.' }),
  },
  run: async ({ http, input: { project: id, issue, add_labels, remove_labels, assignee_ids, state, ...fields } }) => {
    const json = {
      ...fields,
      ...(add_labels && { add_labels: add_labels.join(',') }),
      ...(remove_labels && { remove_labels: remove_labels.join(',') }),
      ...(assignee_ids && { assignee_ids: assignee_ids.map(Number) }),
      ...(state && { state_event: state }),
    };
    return toIssue(await http.json({ method: 'PUT', path: inProject(id, '/issues/{issue}', { issue }), json }));
  },
});
