import {
  expandPath,
  type JsonValue,
  listAt,
  listOptions,
  type LoadOptions,
  offsetPaging,
  scalarAt,
  textAt,
} from '@drawbridge/piece-kit';
import { API, issuePath } from './issue.js';

const PAGE = 50;
export const projectPages = offsetPaging({ items: 'values', size: PAGE, param: 'startAt' });

/**
 * Finds projects that the user can access:
 * https://developer.atlassian.com/cloud/jira/platform/rest/v3/api-group-projects/#api-rest-api-3-project-search-get
 */
export const projects: LoadOptions = ({ http, search }) =>
  listOptions(
    http,
    { method: 'GET', path: `${API}/project/search`, query: { query: search, maxResults: PAGE } },
    {
      value: 'key',
      paging: projectPages,
    },
  );

const KEY = /^[A-Za-z][A-Za-z0-9_]{1,254}$/;
const NONE = { options: [], disabled: true };

/** Lists the issue types of the selected project: https://developer.atlassian.com/cloud/jira/platform/rest/v3/api-group-issues/ */
export const issueTypes: LoadOptions = async ({ http, input: { project } }) => {
  if (typeof project !== 'string' || !KEY.test(project)) return NONE;
  const path = expandPath(`${API}/issue/createmeta/{project}/issuetypes`, { project });
  return listAt(await http.json({ method: 'GET', path, query: { maxResults: 200 } }), 'issueTypes').flatMap(toOption);
};

/**
 * Finds users that can be assigned to the selected issue, or to issues of the selected project:
 * https://developer.atlassian.com/cloud/jira/platform/rest/v3/api-group-user-search/#api-rest-api-3-user-assignable-search-get
 */
export const assignees: LoadOptions = async ({ http, input: { project, issue }, search: query }) => {
  const place =
    typeof issue === 'string' && ISSUE.test(issue)
      ? { issueKey: issue }
      : typeof project === 'string' && KEY.test(project)
        ? { project }
        : undefined;
  if (!place) return NONE;
  const users = await http.json({
    method: 'GET',
    path: `${API}/user/assignable/search`,
    query: { ...place, query, maxResults: 100 },
  });
  return listAt(users).flatMap((user) => {
    const [value, label] = [textAt(user, 'accountId'), textAt(user, 'displayName')];
    return value && label ? [{ label, value }] : [];
  });
};

const ISSUE = /^[A-Za-z0-9_-]{1,100}$/;

/**
 * Lists the statuses to which the selected issue can be moved:
 * https://developer.atlassian.com/cloud/jira/platform/rest/v3/api-group-issues/#api-rest-api-3-issue-issueidorkey-transitions-get
 */
export const transitions: LoadOptions = async ({ http, input: { issue } }) => {
  if (typeof issue !== 'string' || !ISSUE.test(issue)) return NONE;
  return listAt(await http.json({ method: 'GET', path: issuePath(issue, '/transitions') }), 'transitions').flatMap(
    toOption,
  );
};

/** Lists the types of links between issues: https://developer.atlassian.com/cloud/jira/platform/rest/v3/api-group-issue-link-types/ */
export const linkTypes: LoadOptions = async ({ http }) =>
  listAt(await http.json({ method: 'GET', path: `${API}/issueLinkType` }), 'issueLinkTypes').flatMap((type) => {
    const [value, label] = [textAt(type, 'name'), textAt(type, 'outward')];
    return value && label ? [{ label, value }] : [];
  });

/**
 * Finds sprints without a scope for boards. Omits functions such as openSprints(), which are not ids, and removes the bold marks around the search
 * text: https://developer.atlassian.com/cloud/jira/platform/rest/v3/api-group-jql/#api-rest-api-3-jql-autocompletedata-suggestions-get
 */
export const sprints: LoadOptions = async ({ http, search = '' }) => {
  const query = { fieldName: 'sprint', fieldValue: search };
  const found = await http.json({ method: 'GET', path: `${API}/jql/autocompletedata/suggestions`, query });
  return listAt(found, 'results').flatMap((one) => {
    const [value, label] = [textAt(one, 'value') ?? '', textAt(one, 'displayName')?.replace(/<\/?b>/g, '')];
    return /^[0-9]+$/.test(value) && label ? [{ label, value }] : [];
  });
};

function toOption(one: JsonValue) {
  const [value, label] = [scalarAt(one, 'id'), textAt(one, 'name')];
  return value && label ? [{ label, value }] : [];
}
