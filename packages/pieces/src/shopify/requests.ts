import { randomUUID } from 'node:crypto';
import {
  graphqlFailure,
  graphqlRequest,
  type Http,
  type HttpRequest,
  type JsonObject,
  type JsonValue,
  listAt,
  member,
  ProviderError,
  type StatedFailure,
  textAt,
} from '@drawbridge/piece-kit';

/** A version is supported for a year: https://shopify.dev/docs/api/usage/versioning */
const VERSION = '2026-07';

export const request = (query: string, variables: JsonObject = {}): HttpRequest =>
  graphqlRequest(query, variables, `/admin/api/${VERSION}/graphql.json`);

/** Parses GraphQL errors, and the string or object of other failures: `{"errors": "Not Found"}`. */
export function failedWhen(body: JsonValue): StatedFailure | undefined {
  const errors = member(body, 'errors');
  return typeof errors === 'string' ? { message: errors } : graphqlFailure(body);
}

/** Runs a mutation and returns its payload. Throws ProviderError for the first of its `userErrors`, which Shopify returns in addition to the data. */
export async function mutate(http: Http, query: string, variables: JsonObject): Promise<JsonValue> {
  const data = member(await http.json(request(query, variables)), 'data');
  const [payload = null] = Object.values((data ?? {}) as JsonObject);
  const [error] = [...listAt(payload, 'userErrors'), ...listAt(payload, 'orderCancelUserErrors')];
  if (error === undefined) return payload;
  const field = listAt(error, 'field').join('.');
  const message = textAt(error, 'message') ?? 'Shopify rejected the change and gave no reason';
  throw new ProviderError(field ? `${field}: ${message}` : message, { code: textAt(error, 'code') ?? 'USER_ERROR' });
}

/** Returns the variable for a mutation that Shopify runs once per key. A repeated run of an action has the same key. */
export const onlyOnce = (runId: string = randomUUID()): JsonObject => ({ idempotencyKey: runId });

/** Returns the global id of an object. Callers may specify only the number. */
export const toGid = (type: string, id: string): string =>
  id.startsWith('gid://') ? id : `gid://shopify/${type}/${id}`;
