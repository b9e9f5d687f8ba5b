import {
  expandPath,
  type Http,
  type HttpRequest,
  type JsonValue,
  linkNext,
  listAt,
  listOptions,
  type LoadOptions,
  type Paging,
  textAt,
} from '@drawbridge/piece-kit';

/** Matches `owner/name`. */
export const REPOSITORY = '^[A-Za-z0-9_-]+/([A-Za-z0-9_-]|\\.[A-Za-z0-9_-]|\\.\\.[A-Za-z0-9._-])[A-Za-z0-9._-]*$';

/** Maximum number of options without a search. With a search, more items are read. */
const SHOWN = 300;
const SEARCHED = 1_000;

/** Lists the repositories that the connection can access, most recently pushed first. */
export const repositories: LoadOptions = ({ http, search }) =>
  toOptions(http, { method: 'GET', path: '/user/repos', query: { sort: 'pushed' } }, { key: 'full_name', search });

/** Lists items of the repository. `key` is the field that contains the name of an item. Disabled until a repository is selected. */
export function ofRepository(list: 'labels' | 'assignees' | 'branches', key: 'name' | 'login'): LoadOptions {
  return async ({ http, input: { repo }, search }) => {
    if (!isRepository(repo)) return { options: [], disabled: true };
    return toOptions(http, { method: 'GET', path: expandPath(`/repos/{+repo}/${list}`, { repo }) }, { key, search });
  };
}

/** Lists the workflows of the repository. Disabled until a repository is selected. */
export const workflows: LoadOptions = async ({ http, input: { repo }, search }) => {
  if (!isRepository(repo)) return { options: [], disabled: true };
  const path = expandPath('/repos/{+repo}/actions/workflows', { repo });
  const paging: Paging = { items: (body) => listAt(body, 'workflows'), next: linkNext };
  return toOptions(http, { method: 'GET', path }, { key: 'name', value: 'id', search, paging });
};

function isRepository(repo: unknown): repo is string {
  return typeof repo === 'string' && new RegExp(REPOSITORY).test(repo);
}

interface Listed {
  /** The key of the label. */
  key: string;
  /** The key of the value. Default: the key of the label. */
  value?: string;
  search: string | undefined;
  paging?: Paging;
}

function toOptions(http: Http, request: HttpRequest, { key, value = key, search, paging }: Listed) {
  const query = { ...request.query, per_page: 100 };
  const label = (item: JsonValue): string | undefined => textAt(item, key);
  return listOptions(http, { ...request, query }, { label, value, limit: search ? SEARCHED : SHOWN, paging });
}
