import { action, dropdown, dynamic, shortText, textAt } from '@drawbridge/piece-kit';
import { toDocument } from '../document.js';
import { newIssueFields, toProperties, toValues } from '../fields.js';
import { API } from '../issue.js';
import { issueTypes } from '../options.js';
import { assignee, description, dueDate, labels, priority, project, summary } from '../properties.js';

/** https://developer.atlassian.com/cloud/jira/platform/rest/v3/api-group-issues/#api-rest-api-3-issue-post */
export const createIssue = action({
  displayName: 'Create issue',
  description: 'Creates an issue in a project and returns its key.',
  category: 'write',
  adds: true,
  props: {
    project,
    type: dropdown('Type', {
      required: true,
      description: 'The id of an issue type of the project, such as that of Bug.',
      pattern: '^[0-9]{1,20}$',
      options: issueTypes,
      refreshers: ['project'],
    }),
    summary,
    description,
    assignee: assignee('project'),
    labels,
    priority,
    due_date: dueDate,
    parent: shortText('Parent', {
      description: 'The key of the epic, or of the issue above a subtask.',
      maxLength: 100,
    }),
    fields: dynamic('Fields', {
      description: 'Further fields by their ids: {"customfield_10010": "Blue"}.',
      refreshers: ['project', 'type'],
      props: async ({ http, input: { project: key, type } }) =>
        typeof key === 'string' && typeof type === 'string' && key && type
          ? toProperties(await newIssueFields(http, key, type))
          : {},
    }),
  },
  run: async ({ http, input }) => {
    const {
      project: key,
      type,
      summary: title,
      description: text,
      due_date,
      parent,
      fields: further,
      ...given
    } = input;
    const fields = {
      ...(further && toValues(further, await newIssueFields(http, key, type))),
      ...{ project: { key }, issuetype: { id: type }, summary: title },
      ...(text && { description: toDocument(text) }),
      ...(given.assignee && { assignee: { accountId: given.assignee } }),
      ...(given.labels && { labels: given.labels }),
      ...(given.priority && { priority: { name: given.priority } }),
      ...(due_date && { duedate: due_date }),
      ...(parent && { parent: { key: parent } }),
    };
    const created = await http.json({ method: 'POST', path: `${API}/issue`, json: { fields } });
    return { id: textAt(created, 'id') ?? null, key: textAt(created, 'key') ?? null };
  },
});
