import {
  listAt,
  member,
  textAt,
  type HttpRequest,
  type JsonObject,
  type JsonValue,
  type Paging,
  type StatedFailure,
} from '@drawbridge/piece-kit';

/** Returns a GraphQL request: https://linear.app/developers/graphql. */
export const toRequest = (query: string, variables: JsonObject = {}): HttpRequest => ({
  method: 'POST',
  path: '/graphql',
  json: { query, variables },
});

/** Returns the paging of a GraphQL connection at a path below `data`. The cursor is the variable `after`. */
export const connectionAt = (...path: string[]): Paging => ({
  items: (body) => listAt(body, 'data', ...path, 'nodes'),
  next: ({ request, body }) => {
    const pageInfo = member(body, 'data', ...path, 'pageInfo');
    const after = textAt(pageInfo, 'endCursor');
    if (member(pageInfo, 'hasNextPage') !== true || !after) return undefined;
    const { query, variables } = request.json as { query: string; variables: JsonObject };
    return toRequest(query, { ...variables, after });
  },
});

/** Reads failures from `errors`, with status 200 or 400. Partial data beside them is ignored. */
export function failedWhen(body: JsonValue): StatedFailure | undefined {
  const [error] = listAt(body, 'errors');
  if (error === undefined) return undefined;

  const code = textAt(error, 'extensions', 'code');
  const message = textAt(error, 'extensions', 'userPresentableMessage') ?? textAt(error, 'message');
  return { code, message, ...(code === 'RATELIMITED' && { retryable: true }) };
}
