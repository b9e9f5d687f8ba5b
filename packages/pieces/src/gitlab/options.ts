import {
  type HttpRequest,
  type JsonValue,
  listOptions,
  type LoadOptions,
  scalarAt,
  textAt,
} from '@drawbridge/piece-kit';
import { inProject } from './records.js';

/** https://docs.gitlab.com/api/projects/#list-all-projects */
export const projects: LoadOptions = ({ http, search }) => {
  const query = { membership: true, simple: true, order_by: 'last_activity_at', per_page: 100, search };
  const label = (project: JsonValue) => textAt(project, 'path_with_namespace');
  return listOptions(http, { method: 'GET', path: '/api/v4/projects', query }, { label, value: 'path_with_namespace' });
};

const PROJECT = /^[^?#\s]{1,500}$/;

const ofProject =
  (path: string, label: (one: JsonValue) => string | undefined, value: string): LoadOptions =>
  async ({ http, input: { project }, search }) => {
    if (typeof project !== 'string' || !PROJECT.test(project)) return { options: [], disabled: true };
    const request: HttpRequest = { method: 'GET', path: inProject(project, path), query: { per_page: 100, search } };
    return listOptions(http, request, { label, value });
  };

/** https://docs.gitlab.com/api/branches/#list-repository-branches */
export const branches = ofProject('/repository/branches', (branch) => textAt(branch, 'name'), 'name');
/** https://docs.gitlab.com/api/labels/#list-all-labels */
export const labels = ofProject('/labels', (label) => textAt(label, 'name'), 'name');
/** https://docs.gitlab.com/api/project_members/ */
export const members = ofProject('/members/all', (member) => textAt(member, 'name') ?? scalarAt(member, 'id'), 'id');
