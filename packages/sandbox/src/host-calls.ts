import { setMaxListeners } from 'node:events';
import { JsonLimitError, type JsonValue, parseJson, requireJsonLimits } from './json.js';
import type { Limits } from './limits.js';
import type { Answer } from './messages.js';
import type { PendingCall } from './snapshot.js';

/** A host function returns this value to pause the run. The call is made again when the run is resumed. */
export const PAUSE = Symbol('pause');

export interface HostCall {
  /** Unique within the run. Stays the same when the call is made again after a resume. */
  id: string;
  /** The name that the code called, for example `svc.github.create_issue`. */
  name: string;
  args: JsonValue[];
  /** Aborts when the run ends. */
  signal: AbortSignal;
}

/**
 * A result that is already JSON, so that a large result is not parsed and serialized again on the thread of the host. The text must be valid JSON.
 */
export class RawJson {
  constructor(readonly text: string) {}
}

/** A function that the code can call. The code receives only errors of type HostError in full. */
export type HostFunction = (call: HostCall) => Promise<JsonValue | RawJson | undefined | typeof PAUSE>;

/** An error for the code, which can read its message, `code` and `details`. */
export class HostError extends Error {
  override readonly name = 'HostError';
  readonly code: string | undefined;
  readonly details: JsonValue | undefined;

  constructor(
    message: string,
    { code, details, ...options }: ErrorOptions & { code?: string; details?: JsonValue } = {},
  ) {
    super(message, options);
    this.code = code;
    this.details = details;
  }
}

const SEGMENT = '[A-Za-z_$][\\w$]*';
/** A name with dots is a function in nested objects. If the last segment is `*`, every name below it is a function. */
const FUNCTION_NAME = new RegExp(`^${SEGMENT}(\\.${SEGMENT}){0,4}(\\.\\*)?$`);
const MAX_CALLED_NAME = 500;

/** Throws TypeError for a name that cannot be the name of a function in the code. */
export function requireFunctionNames(names: readonly string[]): void {
  for (const name of names) {
    if (!FUNCTION_NAME.test(name))
      throw new TypeError(`${name} cannot be the name of a function. Use identifiers with dots, for example svc.*`);
    const isTwice = names.some((other) => other !== name && (other.startsWith(`${name}.`) || `${name}.*` === other));
    if (isTwice) throw new TypeError(`${name} cannot be a function and a namespace`);
  }
}

/** The current host calls of one run. */
export class HostCalls {
  readonly pending = new Map<string, PendingCall>();
  private readonly paused = new Set<string>();
  private readonly ending = new AbortController();

  constructor(
    private readonly functions: Readonly<Record<string, HostFunction>>,
    private readonly limits: Limits,
    private readonly listener: { onAnswer(answer: Answer): void; onPause(): void },
  ) {
    // All current calls listen to this signal, each several times. Without this, Node.js would warn about a memory leak.
    setMaxListeners(Infinity, this.ending.signal);
  }

  /** True if the code waits for host calls, and all of them returned PAUSE. */
  get arePaused(): boolean {
    return this.pending.size > 0 && this.paused.size === this.pending.size;
  }

  make(call: PendingCall): void {
    this.pending.set(call.id, call);
    void this.answerOf(call).then((answer) => {
      if (this.ending.signal.aborted) return;
      if (!answer) {
        this.paused.add(call.id);
        return this.listener.onPause();
      }
      this.pending.delete(call.id);
      this.listener.onAnswer(answer);
    });
  }

  end(): void {
    this.ending.abort(new Error('The run ended'));
  }

  private async answerOf({ id, name, args: text }: PendingCall): Promise<Answer | undefined> {
    const { argumentBytes, answerBytes, depth } = this.limits;
    try {
      const args = parseJson(text, 'The arguments', { bytes: argumentBytes, depth });
      const run = this.find(name);
      if (!run || !Array.isArray(args)) throw new HostError(`${name.slice(0, MAX_CALLED_NAME)} is not a function`);
      const value = await run({ id, name, args, signal: this.ending.signal });
      if (value === PAUSE) return undefined;
      const json = value instanceof RawJson ? value.text : value === undefined ? undefined : JSON.stringify(value);
      if (json !== undefined) requireJsonLimits(json, `The result of ${name}`, { bytes: answerBytes, depth });
      return { id, isError: false, json };
    } catch (error) {
      return { id, isError: true, json: toErrorJson(error) };
    }
  }

  private find(name: string): HostFunction | undefined {
    if (name.length > MAX_CALLED_NAME) return undefined;
    if (Object.hasOwn(this.functions, name)) return this.functions[name];
    const wildcard = Object.keys(this.functions).find((key) => key.endsWith('.*') && name.startsWith(key.slice(0, -1)));
    return wildcard === undefined ? undefined : this.functions[wildcard];
  }
}

function toErrorJson(error: unknown): string {
  if (error instanceof HostError)
    return JSON.stringify({ message: error.message, code: error.code, details: error.details });
  return JSON.stringify({ message: error instanceof JsonLimitError ? error.message : 'The function failed' });
}
