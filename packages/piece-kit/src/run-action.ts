import { expandPath, type Query, type QueryValue } from './encode-request.js';
import { type CodeRunner, type ProgramRunner } from './code-runner.js';
import { type JsonObject, type JsonValue } from './json.js';
import { openPiece, type OpenOptions, type Piece } from './piece.js';
import { type Output, type RunContext } from './run-context.js';
import { member } from './answer.js';
import { type State } from './state.js';

export interface RunOptions extends Omit<OpenOptions, 'isIdempotent'> {
  /** Must be valid for the `inputSchema` of the action's properties. */
  input: JsonObject;
  /** Required for an action that `usesState`. */
  state?: State;
  /** Required for an action that `usesSandbox`. */
  sandbox?: CodeRunner | ProgramRunner;
}

/**
 * Runs one action and returns a JSON object. Throws ProviderError if the provider rejects the request or fails, InputError for an invalid input that
 * the schema accepts, the errors of `send`, and Error for an action that the piece does not have.
 */
export async function runAction(piece: Piece, actionName: string, options: RunOptions): Promise<JsonObject> {
  const action = Object.hasOwn(piece.actions, actionName) ? piece.actions[actionName] : undefined;
  if (!action) throw new Error(`${piece.name} has no action ${actionName}`);

  const { input, credential, state, sandbox, signal, runId } = options;
  const timeoutMs = action.timeoutMs ?? options.timeoutMs;
  const http = openPiece(piece, { ...options, timeoutMs, isIdempotent: action.idempotent });
  return toOutput(await action.run({ http, input, auth: credential, state, sandbox, signal, runId }));
}

/** Returns a JSON object for any output: `{items}` for a list, `{}` for no output, a FILE for bytes, and `{value}` for any other value. */
function toOutput(output: Output): JsonObject {
  if (output === undefined || output === null) return {};
  if (Array.isArray(output)) return { items: output };
  if (output instanceof Uint8Array) {
    return { filename: 'file', mimeType: 'application/octet-stream', base64: Buffer.from(output).toString('base64') };
  }
  return typeof output === 'object' ? output : { value: output };
}

/** A value that is already serialized as JSON. `stringifyOutput` inserts the text unchanged, because parsing a large value would block the thread. */
export class JsonText {
  constructor(readonly text: string) {}

  toJSON(): unknown {
    return JSON.parse(this.text);
  }
}

/** Serializes an output that may contain JsonText values at the first level. Throws RangeError if it is nested too deeply or is too long. */
export function stringifyOutput(output: object): string {
  const entries = Object.entries(output);
  if (!entries.some(([, value]) => value instanceof JsonText)) return JSON.stringify(output);
  const parts = entries.flatMap(([key, value]) => {
    const json = value instanceof JsonText ? value.text : JSON.stringify(value);
    return json === undefined ? [] : [`${JSON.stringify(key)}:${json}`];
  });
  return `{${parts.join(',')}}`;
}

/**
 * The fields of a request: properties with the same names at the provider, or a map from the provider's names to properties or constants. A name with
 * dots is nested in a JSON body: `{'fields.summary': 'title'}` sends `{"fields": {"summary": …}}`.
 */
type Fields<Key extends string> = readonly Key[] | { readonly [name: string]: Key | Constant };

interface Constant {
  constant: JsonValue;
}

/** An action that consists of one request with a JSON response. An absent input is omitted from the request. */
export interface Call<Key extends string = string> {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** `{key}` becomes one encoded segment, and `{+key}` several. */
  path: string;
  query?: Fields<Key>;
  /** The fields of a JSON body. At most one of `body`, `whole` and `form` is present. */
  body?: Fields<Key>;
  /** The key of the JSON body that contains its fields, such as Asana's `data`. */
  bodyIn?: string;
  /** The property with the whole JSON body as its value. */
  whole?: Key;
  /** The fields of a form in bracket notation. */
  form?: Fields<Key>;
  /** The dotted path of the output in the response. Default: the whole response. */
  result?: string;
}

/** Returns the `run` of a declared call. */
export function callRunner({ method, path, query, body, bodyIn, whole, form, result }: Call) {
  return async ({ http, input }: RunContext<JsonObject>): Promise<JsonValue> => {
    const fields = body && nested(pick(input, body));
    const response = await http.json({
      method,
      path: expandPath(path, input),
      query: query && toQuery(pick(input, query)),
      json: whole === undefined ? (fields && bodyIn ? { [bodyIn]: fields } : fields) : input[whole],
      form: form && pick(input, form),
    });
    return result === undefined ? response : (member(response, ...result.split('.')) ?? null);
  };
}

function pick(input: JsonObject, fields: Fields<string>): JsonObject {
  const named = isList(fields) ? fields.map((key) => [key, key] as const) : Object.entries(fields);
  return Object.fromEntries(
    named.flatMap(([name, from]) => {
      const value = typeof from === 'string' ? input[from] : from.constant;
      return value === undefined ? [] : [[name, value]];
    }),
  );
}

const isList = (fields: Fields<string>): fields is readonly string[] => Array.isArray(fields);

function nested(fields: JsonObject): JsonObject {
  return Object.entries(fields).reduce((body, [name, value]) => withField(body, name.split('.'), value), {});
}

/**
 * Returns a copy of a body with a value at a path. The body is not changed, because a field can be inside the object of a property, which belongs to
 * the caller.
 */
function withField(body: JsonObject, [key = '', ...rest]: string[], value: JsonValue): JsonObject {
  if (rest.length === 0) return { ...body, [key]: value };
  const inner = member(body, key);
  const isObject = typeof inner === 'object' && inner !== null && !Array.isArray(inner);
  return { ...body, [key]: withField(isObject ? inner : {}, rest, value) };
}

function toQuery(values: JsonObject): Query {
  return Object.fromEntries(
    Object.entries(values).map(([key, value]) => [key, Array.isArray(value) ? value.map(toText) : toText(value)]),
  );
}

function toText(value: JsonValue | undefined): QueryValue {
  return typeof value === 'string' ? value : JSON.stringify(value);
}
