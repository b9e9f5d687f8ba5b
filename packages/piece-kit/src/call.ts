import type { RunContext } from './run-context.js';
import type { JsonObject, JsonValue } from './json.js';
import { expandPath, type Query, type QueryValue } from './url.js';

/** An action that is one request with a JSON answer. Keys name properties; the third party knows them by the same names. */
export interface Call<Key extends string = string> {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** `{key}` stands for one encoded segment, `{+key}` for several. */
  path: string;
  query?: readonly Key[];
  body?: readonly Key[];
}

/** The `run` of a declared call. An absent input is left out of the request. */
export function callRunner({ method, path, query, body }: Call) {
  return ({ http, input }: RunContext<JsonObject>): Promise<JsonValue> =>
    http.json({
      method,
      path: expandPath(path, input),
      query: query && toQuery(pick(input, query)),
      json: body && pick(input, body),
    });
}

function pick(input: JsonObject, keys: readonly string[]): JsonObject {
  return Object.fromEntries(keys.flatMap((key) => (input[key] === undefined ? [] : [[key, input[key]]])));
}

function toQuery(values: JsonObject): Query {
  return Object.fromEntries(
    Object.entries(values).map(([key, value]) => [key, Array.isArray(value) ? value.map(toText) : toText(value)]),
  );
}

function toText(value: JsonValue | undefined): QueryValue {
  return typeof value === 'string' ? value : JSON.stringify(value);
}
