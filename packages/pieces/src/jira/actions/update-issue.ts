import { action, checkbox, dynamic, json } from '@drawbridge/piece-kit';
import { toDocument } from '../document.js';
import { issueFields, toProperties, toValues } from '../fields.js';
import { issuePath } from '../issue.js';
import { assignee, description, dueDate, issue, newSummary, priority } from '../properties.js';

const LABELS = {
  schema: { type: 'array', maxItems: 100, items: { type: 'string', pattern: '^\\S{1,255}$' } },
} as const;

/** Changes fields of an issue: https://developer.atlassian.com/cloud/jira/platform/rest/v3/api-group-issues/#api-rest-api-3-issue-issueidorkey-put */
export const updateIssue = action({
  displayName: 'Update issue',
  description: 'Changes fields of an issue. Its status is changed by "Transition".',
  category: 'write',
  idempotent: true,
  props: {
    issue,
    summary: newSummary,
    description,
    assignee: assignee('issue'),
    priority,
    due_date: dueDate,
    add_labels: json('Add labels', { ...LABELS, description: 'Labels to add: ["backend"].' }),
    remove_labels: json('Remove labels', { ...LABELS, description: 'Labels to remove: ["urgent"].' }),
    fields: dynamic('Fields', {
      description: 'By field id: {"customfield_10010": "Blue"}.',
      refreshers: ['issue'],
      props: async ({ http, input: { issue: key } }) =>
        typeof key === 'string' && key ? toProperties(await issueFields(http, key)) : {},
    }),
    notify: checkbox('Notify', {
      description: 'Emails the watchers. Defaults to true; only administrators can use false.',
    }),
  },
  run: async ({ http, input }) => {
    const {
      issue: key,
      summary: title,
      description: text,
      due_date,
      add_labels = [],
      remove_labels = [],
      fields: further,
      ...given
    } = input;
    const fields = {
      ...(further && toValues(further, await issueFields(http, key))),
      ...(title && { summary: title }),
      ...(text !== undefined && { description: toDocument(text) }),
      ...(given.assignee && { assignee: { accountId: given.assignee } }),
      ...(given.priority && { priority: { name: given.priority } }),
      ...(due_date && { duedate: due_date }),
    };
    const changes = [...add_labels.map((add) => ({ add })), ...remove_labels.map((remove) => ({ remove }))];
    const body = { fields, ...(changes.length > 0 && { update: { labels: changes } }) };
    await http.request({ method: 'PUT', path: issuePath(key), query: { notifyUsers: given.notify }, json: body });
    return { issue: key };
  },
});
