import {
  collect,
  expandPath,
  member,
  ProviderError,
  urlPaging,
  type Credential,
  type Http,
  type HttpRequest,
  type JsonObject,
  type JsonValue,
  type Paging,
  type RunContext,
} from '@drawbridge/piece-kit';

/** The fields of a form. Undefined values are omitted. */
type Fields = { readonly [name: string]: string | number | boolean | readonly string[] | undefined };

/** Returns the path of a resource of the account. The account's SID is the user name of the connection. */
export function accountPath(auth: Credential | undefined, resource: string): string {
  if (auth?.type !== 'BASIC_AUTH' || !/^\w+$/.test(auth.username))
    throw new ProviderError('The user name of the connection must be the Account SID (AC…)');
  return `${expandPath('/2010-04-01/Accounts/{sid}', { sid: auth.username })}/${resource}`;
}

/** Creates a resource of the account. Twilio parses a list from repeated keys, not from brackets. */
export async function create(
  { http, auth }: Pick<RunContext<unknown>, 'http' | 'auth'>,
  resource: string,
  fields: Fields,
): Promise<JsonValue> {
  const form = new URLSearchParams();
  for (const [name, value] of Object.entries(fields)) {
    for (const item of [value ?? []].flat()) form.append(name, String(item));
  }
  const contentType = 'application/x-www-form-urlencoded';
  return http.json({ method: 'POST', path: accountPath(auth, resource), body: form.toString(), contentType });
}

interface List {
  /** The key of the items in a page. */
  items: string;
  limit: number;
  /** The fields of an item to return. */
  keep: readonly string[];
}

const MAX_PAGE = 1_000;

/** Reads a list of the account, with only the fields in `keep`. */
export async function readList(http: Http, request: Pick<HttpRequest, 'path' | 'query'>, { items, limit, keep }: List) {
  const query = { ...request.query, PageSize: Math.min(limit, MAX_PAGE) };
  const pages = http.pages({ method: 'GET', path: request.path, query }, limit, paging(items));
  return (await collect(pages)).map((item) => pick(item, keep));
}

/** Pages of a list are requested by the URL of the next page: https://www.twilio.com/docs/usage/twilios-response#pagination */
export const paging = (items: string): Paging => urlPaging({ items, next: 'next_page_uri' });

function pick(item: JsonValue, keys: readonly string[]): JsonObject {
  return Object.fromEntries(keys.map((key) => [key, member(item, key) ?? null]));
}
