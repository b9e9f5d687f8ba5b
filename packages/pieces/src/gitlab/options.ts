import {
  type HttpRequest,
  type JsonValue,
  listOptions,
  type LoadOptions,
  scalarAt,
  textAt,
} from '@drawbridge/piece-kit';
import { inProject } from './records.js';

/** Lists the projects that the user is a member of: https://docs.gitlab.com/api/projects/#list-all-projects */
export const projects: LoadOptions = ({ http, search }) => {
  // Searches the names of groups too, because they are shown.
  const query = {
    ...{ membership: true, simple: true, order_by: 'last_activity_at', per_page: 100, search },
    search_namespaces: true,
  };
  const label = (project: JsonValue) => textAt(project, 'path_with_namespace');
  return listOptions(http, { method: 'GET', path: '/api/v4/projects', query }, { label, value: 'path_with_namespace' });
};

const PROJECT = /^[^?#\s]{1,500}$/;

interface Listed {
  label: (one: JsonValue) => string | undefined;
  value: string;
  /** The name of the parameter for the search text. */
  searchedBy?: string;
}

const ofProject =
  (path: string, { label, value, searchedBy = 'search' }: Listed): LoadOptions =>
  async ({ http, input: { project }, search }) => {
    if (typeof project !== 'string' || !PROJECT.test(project)) return { options: [], disabled: true };
    const query = { per_page: 100, [searchedBy]: search };
    const request: HttpRequest = { method: 'GET', path: inProject(project, path), query };
    return listOptions(http, request, { label, value });
  };

const name = (one: JsonValue): string | undefined => textAt(one, 'name');

/** Lists the branches of the selected project: https://docs.gitlab.com/api/branches/#list-repository-branches */
export const branches = ofProject('/repository/branches', { label: name, value: 'name' });
/** Lists the labels of the selected project: https://docs.gitlab.com/api/labels/#list-all-labels */
export const labels = ofProject('/labels', { label: name, value: 'name' });
/** Lists the members of the selected project: https://docs.gitlab.com/api/project_members/ */
export const members = ofProject('/members/all', {
  ...{ label: (member) => name(member) ?? scalarAt(member, 'id'), value: 'id', searchedBy: 'query' },
});
