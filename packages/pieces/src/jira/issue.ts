import { expandPath, type JsonObject, type JsonValue, member } from '@drawbridge/piece-kit';
import { pickFields, same } from '../pick-fields.js';
import { toMarkdown } from './document.js';

export const API = '/rest/api/3';
export const issuePath = (issue: string, path = ''): string =>
  `${expandPath(`${API}/issue/{issue}`, { issue })}${path}`;

/** The fields of an issue that are read. */
export const FIELDS = [
  ...['summary', 'description', 'status', 'issuetype', 'priority', 'assignee', 'reporter', 'labels', 'project'],
  ...['parent', 'created', 'updated', 'duedate', 'resolution', 'fixVersions'],
];

const ISSUE = {
  ...same('id', 'key'),
  ...{ summary: 'fields.summary', status: 'fields.status.name', type: 'fields.issuetype.name' },
  ...{ priority: 'fields.priority.name', labels: 'fields.labels', project: 'fields.project.key' },
  ...{ assignee: 'fields.assignee.displayName', assigneeId: 'fields.assignee.accountId' },
  ...{ reporter: 'fields.reporter.displayName', parent: 'fields.parent.key', dueDate: 'fields.duedate' },
  ...{ resolution: 'fields.resolution.name', fixVersions: 'fields.fixVersions.*.name' },
  ...{ created: 'fields.created', updated: 'fields.updated' },
};

/** Returns the fields of an issue that the output contains, with its description as Markdown. */
export function toIssue(issue: JsonValue): JsonObject {
  const description = toMarkdown(member(issue, 'fields', 'description'));
  return { ...pickFields(issue, ISSUE), ...(description && { description }) };
}
