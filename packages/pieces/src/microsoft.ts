import {
  authorizationHeader,
  collect,
  type Http,
  type HttpDefaults,
  type JsonObject,
  type JsonValue,
  type OAuth2Provider,
  type Paging,
  ProviderError,
  type Query,
  urlPaging,
} from '@drawbridge/piece-kit';

export const GRAPH_ORIGIN = 'https://graph.microsoft.com';

const LOGIN = 'https://login.microsoftonline.com/common/oauth2/v2.0';

/**
 * Returns the OAuth settings of an app for work, school and personal accounts. Microsoft has no endpoint that revokes a token:
 * https://learn.microsoft.com/entra/identity-platform/v2-oauth2-auth-code-flow
 */
export function microsoftOauth2(scopes: readonly string[]): OAuth2Provider {
  return {
    authUrl: `${LOGIN}/authorize`,
    tokenUrl: `${LOGIN}/token`,
    // Without offline_access there is no refresh token.
    scopes: ['offline_access', ...scopes],
    pkce: true,
    refresh: 'rotating',
    scopeOnRefresh: true,
    // The user must sign in or consent again.
    grantRefusedWhen: ['interaction_required', 'consent_required', 'login_required'],
  };
}

/** Error bodies have the form `{error: {code, message}}`, which is parsed without a declaration. */
export const graphHttp = {
  authorize: authorizationHeader,
  paging: urlPaging({ items: 'value', next: ['@odata.nextLink'] }),
  // A 509 means that the app exceeded its bandwidth. 429 and 503 have Retry-After: https://learn.microsoft.com/graph/errors
  rateLimit: { when: [{ status: 509 }] },
} satisfies HttpDefaults;

/** Pages with the pages themselves as items, because the last page contains the link for the next poll. */
export const wholePages: Paging = { items: (body) => [body], next: graphHttp.paging.next };

/** Returns the path and the query of a link, so that the credential is not sent to another origin. */
export function pathOfLink(link: string | undefined): string {
  if (!link || !URL.canParse(link)) throw new ProviderError('Microsoft returned no link for further changes');
  const { pathname, search } = new URL(link);
  return pathname + search;
}

/** The page size for lists with selected fields. */
const PAGE = 100;
const DEFAULT_LIMIT = 25;

interface List extends Query {
  $select: string;
}

/** Reads at most `limit` items of a list: https://learn.microsoft.com/graph/query-parameters */
export async function listGraph(
  http: Http,
  path: string,
  { query, limit = DEFAULT_LIMIT, headers }: { query: List; limit?: number; headers?: Record<string, string> },
): Promise<JsonObject[]> {
  const request = { method: 'GET', path, query: { ...query, $top: Math.min(limit, PAGE) }, headers };
  return (await collect(http.pages(request, limit))).map(withoutAnnotations);
}

/** Removes OData annotations. One of them, `@microsoft.graph.downloadUrl`, gives access to a file without a credential. */
export function withoutAnnotations(item: JsonValue): JsonObject {
  return Object.fromEntries(Object.entries(item as JsonObject).filter(([key]) => !key.includes('@')));
}

/** Returns the values that are not undefined. */
export function present(values: { readonly [key: string]: JsonValue | undefined }): JsonObject {
  const entries = Object.entries(values).filter((entry): entry is [string, JsonValue] => entry[1] !== undefined);
  return Object.fromEntries(entries);
}

/** Returns a text as a literal of OData: https://docs.oasis-open.org/odata/odata/v4.01/odata-v4.01-part2-url-conventions.html */
export const odataText = (text: string): string => `'${text.replaceAll("'", "''")}'`;
