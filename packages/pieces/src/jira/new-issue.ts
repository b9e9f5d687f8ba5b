import {
  dropdown,
  dynamic,
  type Http,
  type InputOf,
  type JsonObject,
  type JsonValue,
  shortText,
  textAt,
} from '@drawbridge/piece-kit';
import { toDocument } from './document.js';
import { newIssueFields, toProperties, toValues } from './fields.js';
import { API } from './issue.js';
import { issueTypes } from './options.js';
import { assignee, description, dueDate, labels, priority, project, summary } from './properties.js';

/** The properties of a new issue. */
export const newIssue = {
  project,
  type: dropdown('Type', {
    required: true,
    description: 'The id of an issue type of the project.',
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
    description: 'Key of the epic, or of the issue above a subtask.',
    maxLength: 100,
  }),
  fields: dynamic('Fields', {
    description: 'By field id: {"customfield_10010": "Blue"}.',
    refreshers: ['project', 'type'],
    props: async ({ http, input: { project: key, type } }) =>
      typeof key === 'string' && typeof type === 'string' && key && type
        ? toProperties(await newIssueFields(http, key, type))
        : {},
  }),
} as const;

/** Returns the fields of a new issue. `known` are the fields of its type, which determine the format of further fields. */
export function toFields(given: InputOf<typeof newIssue>, known: readonly JsonValue[]): JsonObject {
  const { project: key, type, summary: title, description: text, due_date, parent, fields: further } = given;
  return {
    ...(further && toValues(further, known)),
    ...{ project: { key }, issuetype: { id: type }, summary: title },
    ...(text && { description: toDocument(text) }),
    ...(given.assignee && { assignee: { accountId: given.assignee } }),
    ...(given.labels && { labels: [...given.labels] }),
    ...(given.priority && { priority: { name: given.priority } }),
    ...(due_date && { duedate: due_date }),
    ...(parent && { parent: { key: parent } }),
  };
}

/** Creates an issue and returns its id and key. */
export async function create(http: Http, fields: JsonObject): Promise<JsonObject> {
  const created = await http.json({ method: 'POST', path: `${API}/issue`, json: { fields } });
  return { id: textAt(created, 'id') ?? null, key: textAt(created, 'key') ?? null };
}
