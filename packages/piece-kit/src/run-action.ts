import { expandPath, type Query, type QueryValue } from './encode-request.js';
import { type CodeRunner, type ProgramRunner } from './code-runner.js';
import { type Credential } from './credential.js';
import { type JsonObject, type JsonValue } from './json.js';
import { openPiece, type Piece } from './piece.js';
import { type Output, type RunContext } from './run-context.js';
import { type Send } from './answer.js';
import { type State } from './state.js';

export interface RunOptions {
  /** Validated against `inputSchema` of the action's properties. */
  input: JsonObject;
  credential?: Credential;
  /** For an action that `usesState`. */
  state?: State;
  /** For an action that `usesSandbox`. */
  sandbox?: CodeRunner | ProgramRunner;
  send: Send;
  signal?: AbortSignal;
  /** Unique, and the same when the run is gone through again: of it are the keys under which its writes happen once. */
  runId?: string;
  /** Of one outgoing request, where neither the action nor its input says otherwise. */
  timeoutMs?: number;
  /** Of the run: a third party that is busy for longer is not waited for. */
  limitMs?: number;
  /** `send` waits itself for what is to be sent later (`delayMs`). */
  sendsDelayed?: boolean;
}

/**
 * Runs one action and returns a JSON object. Throws ProviderError when the third party refuses, InputError when an input
 * passed the schema and yet makes no sense, whatever `send` throws, and Error for an action that the piece does not have.
 */
export async function runAction(piece: Piece, actionName: string, options: RunOptions): Promise<JsonObject> {
  const action = Object.hasOwn(piece.actions, actionName) ? piece.actions[actionName] : undefined;
  if (!action) throw new Error(`${piece.name} has no action ${actionName}`);

  const { input, credential, state, sandbox, signal } = options;
  const timeoutMs = action.timeoutMs ?? options.timeoutMs;
  const http = openPiece(piece, { ...options, timeoutMs, isIdempotent: action.idempotent });
  return toOutput(await action.run({ http, input, auth: credential, state, sandbox, signal }));
}

/** Makes a JSON object of anything: a list is `{items}`, nothing is `{}`, bytes are a FILE, any other value `{value}`. */
function toOutput(output: Output): JsonObject {
  if (output === undefined || output === null) return {};
  if (Array.isArray(output)) return { items: output };
  if (output instanceof Uint8Array) {
    return { filename: 'file', mimeType: 'application/octet-stream', base64: Buffer.from(output).toString('base64') };
  }
  return typeof output === 'object' ? output : { value: output };
}

/** A value as its JSON text. `stringifyOutput` inserts the text as it is: parsing a large value would block the thread. */
export class JsonText {
  constructor(readonly text: string) {}

  toJSON(): unknown {
    return JSON.parse(this.text);
  }
}

/** Serializes an output whose values, at the first level, can be JsonText. Throws RangeError if it nests too deep or is too long. */
export function stringifyOutput(output: object): string {
  const entries = Object.entries(output);
  if (!entries.some(([, value]) => value instanceof JsonText)) return JSON.stringify(output);
  const parts = entries.flatMap(([key, value]) => {
    const json = value instanceof JsonText ? value.text : JSON.stringify(value);
    return json === undefined ? [] : [`${JSON.stringify(key)}:${json}`];
  });
  return `{${parts.join(',')}}`;
}

/** An action that is one request with a JSON answer. Keys name properties; the third party knows them by the same names. */
export interface Call<Key extends string = string> {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** `{key}` stands for one encoded segment, `{+key}` for several. */
  path: string;
  query?: readonly Key[];
  /** As JSON, or as a form in bracket notation: one of the two. */
  body?: readonly Key[];
  form?: readonly Key[];
}

/** The `run` of a declared call. An absent input is left out of the request. */
export function callRunner({ method, path, query, body, form }: Call) {
  return ({ http, input }: RunContext<JsonObject>): Promise<JsonValue> =>
    http.json({
      method,
      path: expandPath(path, input),
      query: query && toQuery(pick(input, query)),
      json: body && pick(input, body),
      form: form && pick(input, form),
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
