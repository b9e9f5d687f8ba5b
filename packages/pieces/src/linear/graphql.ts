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

/** Every request: https://linear.app/developers/graphql. */
export const toRequest = (query: string, variables: JsonObject = {}): HttpRequest => ({
  method: 'POST',
  path: '/graphql',
  json: { query, variables },
});

/** A connection at a path below `data`: the cursor is the variable `after`. */
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

/** Failures stand in `errors`, with status 200 as with 400; a part of the data beside them is none that could be used. */
export function failedWhen(body: JsonValue): StatedFailure | undefined {
  const [error] = listAt(body, 'errors');
  if (error === undefined) return undefined;

  const code = textAt(error, 'extensions', 'code');
  const message = textAt(error, 'extensions', 'userPresentableMessage') ?? textAt(error, 'message');
  return { code, message, ...(code === 'RATELIMITED' && { retryable: true }) };
}
