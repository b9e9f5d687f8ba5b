import { listAt, member, textAt } from './answer.js';
import { type HttpRequest } from './http.js';
import { type JsonObject, type JsonValue } from './json.js';
import { type Paging } from './paging.js';
import { type StatedFailure } from './provider-error.js';

/** Returns a GraphQL request: https://graphql.github.io/graphql-over-http/draft/. */
export function graphqlRequest(query: string, variables: JsonObject = {}, path = '/graphql'): HttpRequest {
  return { method: 'POST', path, json: { query, variables } };
}

/**
 * Returns the paging of a connection below `data` with `nodes` or `edges`: https://relay.dev/graphql/connections.htm. The cursor is passed in the
 * variable `after`.
 */
export function connectionPaging(...path: readonly string[]): Paging {
  return {
    items: (body) => {
      const connection = member(body, 'data', ...path);
      const edges = listAt(connection, 'edges').map((edge) => member(edge, 'node') ?? null);
      return member(connection, 'nodes') === undefined ? edges : listAt(connection, 'nodes');
    },
    next: ({ request, body }) => {
      const pageInfo = member(body, 'data', ...path, 'pageInfo');
      const after = textAt(pageInfo, 'endCursor');
      if (member(pageInfo, 'hasNextPage') !== true || !after) return undefined;
      const { query, variables } = request.json as { query: string; variables: JsonObject };
      return graphqlRequest(query, { ...variables, after }, request.path);
    },
  };
}

/**
 * Returns the first error of a GraphQL response, or undefined. A response with errors can have any status, including 200. Partial data in a response
 * with errors is ignored.
 */
export function graphqlFailure(body: JsonValue): StatedFailure | undefined {
  const [error] = listAt(body, 'errors');
  if (error === undefined) return undefined;
  return { code: textAt(error, 'extensions', 'code'), message: textAt(error, 'message') };
}
