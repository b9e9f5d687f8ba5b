import {
  expandPath,
  type Http,
  type HttpRequest,
  type JsonValue,
  listOptions,
  type LoadOptions,
  textAt,
} from '@drawbridge/piece-kit';

/** Matches `owner/name`. */
export const REPOSITORY = '^[A-Za-z0-9_-]+/([A-Za-z0-9_-]|\\.[A-Za-z0-9_-]|\\.\\.[A-Za-z0-9._-])[A-Za-z0-9._-]*$';

/** The most options without a search; a search reads more. */
const SHOWN = 300;
const SEARCHED = 1_000;

/** Lists the repositories that the connection can access, most recently pushed first. */
export const repositories: LoadOptions = ({ http, search }) =>
  toOptions(http, { method: 'GET', path: '/user/repos', query: { sort: 'pushed' } }, { key: 'full_name', search });

/** Lists items of the repository. `key` is the field that names an item. Disabled until a repository is selected. */
export function ofRepository(list: 'labels' | 'assignees' | 'branches', key: 'name' | 'login'): LoadOptions {
  return async ({ http, input: { repo }, search }) => {
    if (typeof repo !== 'string' || !new RegExp(REPOSITORY).test(repo)) return { options: [], disabled: true };
    return toOptions(http, { method: 'GET', path: expandPath(`/repos/{+repo}/${list}`, { repo }) }, { key, search });
  };
}

function toOptions(http: Http, request: HttpRequest, { key, search }: { key: string; search?: string }) {
  const query = { ...request.query, per_page: 100 };
  const label = (item: JsonValue): string | undefined => textAt(item, key);
  return listOptions(http, { ...request, query }, { label, value: key, limit: search ? SEARCHED : SHOWN });
}
