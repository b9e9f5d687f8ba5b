import {
  collect,
  dateTime,
  expandPath,
  type Http,
  json,
  type JsonObject,
  type JsonValue,
  listAt,
  longText,
  member,
  number,
  offsetPaging,
  type Property,
  scalarAt,
  shortText,
  staticDropdown,
  staticMultiSelect,
  textAt,
} from '@drawbridge/piece-kit';
import { toDocument } from './document.js';
import { API, issuePath } from './issue.js';

/** Fields that are separate properties of actions, and fields that cannot be set. */
const OWN = new Set([
  'summary',
  'description',
  'project',
  'issuetype',
  'parent',
  'assignee',
  'labels',
  'priority',
  'duedate',
]);
const TEXTAREA = 'com.atlassian.jira.plugin.system.customfieldtypes:textarea';
const SPRINT = 'com.pyxis.greenhopper.jira:gh-sprint';

/** The maximum page size. */
const PAGE = 200;
/** Maximum number of fields of an issue type. */
const MAX_FIELDS = 1_000;
const fieldPages = offsetPaging({ items: 'fields', size: PAGE, param: 'startAt' });

/** Returns the fields of a new issue: https://developer.atlassian.com/cloud/jira/platform/rest/v3/api-group-issues/#api-rest-api-3-issue-createmeta-projectidorkey-issuetypes-issuetypeid-get */
export async function newIssueFields(http: Http, project: string, type: string): Promise<JsonValue[]> {
  const path = expandPath(`${API}/issue/createmeta/{project}/issuetypes/{type}`, { project, type });
  return collect(http.pages({ method: 'GET', path, query: { maxResults: PAGE } }, MAX_FIELDS, fieldPages));
}

/** Returns the fields of an issue that can be changed: https://developer.atlassian.com/cloud/jira/platform/rest/v3/api-group-issues/#api-rest-api-3-issue-issueidorkey-editmeta-get */
export async function issueFields(http: Http, issue: string): Promise<JsonValue[]> {
  const fields = member(await http.json({ method: 'GET', path: issuePath(issue, '/editmeta') }), 'fields');
  return Object.entries((fields ?? {}) as JsonObject).map(([fieldId, field]) => ({
    ...(field as JsonObject),
    fieldId,
  }));
}

/** Returns a property for each field. */
export function toProperties(fields: readonly JsonValue[]): Record<string, Property> {
  return Object.fromEntries(
    fields.flatMap((field) => {
      const [id, property] = [textAt(field, 'fieldId'), toProperty(field)];
      return id && property && !OWN.has(id) ? [[id, property] as const] : [];
    }),
  );
}

function toProperty(field: JsonValue): Property | undefined {
  const name = textAt(field, 'name') ?? 'Field';
  const options = listAt(field, 'allowedValues').flatMap((option) => {
    const [value, label] = [scalarAt(option, 'id'), textAt(option, 'value') ?? textAt(option, 'name')];
    return value && label ? [{ label, value }] : [];
  });
  switch (textAt(field, 'schema', 'type')) {
    case 'string':
      return isTextarea(field) ? longText(name, { description: 'Markdown.' }) : shortText(name);
    case 'number':
      return number(name);
    case 'date':
      return shortText(name, { description: 'A date, such as 2026-01-31.' });
    case 'datetime':
      return dateTime(name);
    case 'user':
      return shortText(name, { description: 'The account id of a user.' });
    case 'option':
    case 'version':
    case 'priority':
      return options.length > 0 ? staticDropdown(name, options) : undefined;
    case 'array':
      if (options.length > 0) return staticMultiSelect(name, options);
      return textAt(field, 'schema', 'items') === 'string'
        ? json(name, { schema: { type: 'array', items: { type: 'string' } } })
        : undefined;
    default:
      return undefined;
  }
}

const isTextarea = (field: JsonValue): boolean => textAt(field, 'schema', 'custom') === TEXTAREA;
export const isSprint = (field: JsonValue): boolean => textAt(field, 'schema', 'custom') === SPRINT;

/** Returns the values in the format that Jira requires for the types of their fields. The value of an unknown field is sent unchanged. */
export function toValues(values: JsonObject, fields: readonly JsonValue[]): JsonObject {
  const known = new Map(fields.map((field) => [textAt(field, 'fieldId'), field]));
  return Object.fromEntries(Object.entries(values).map(([id, value]) => [id, toValue(value, known.get(id) ?? null)]));
}

function toValue(value: JsonValue, field: JsonValue): JsonValue {
  if (typeof value === 'string' && isTextarea(field)) return toDocument(value);
  const isChoice = listAt(field, 'allowedValues').length > 0;
  if (Array.isArray(value)) return isChoice ? value.map((id) => ({ id })) : value;
  if (typeof value !== 'string') return value;
  const type = textAt(field, 'schema', 'type');
  if (type === 'user') return { accountId: value };
  if (type === 'datetime') return toJiraTime(value);
  return isChoice ? { id: value } : value;
}

/** Returns a time in Jira's format, which allows no "Z" and no colon in the offset. A string that is not a time is returned unchanged. */
export function toJiraTime(time: string): string {
  const at = new Date(time);
  return Number.isNaN(at.getTime()) ? time : at.toISOString().replace('Z', '+0000');
}
