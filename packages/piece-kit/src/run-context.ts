import type { CodeRunner, ProgramRunner } from './code-runner.js';
import type { Credential } from './credential.js';
import type { Http } from './http.js';
import type { JsonValue } from './json.js';
import type { State } from './state.js';

/** The result of a `run`. `toOutput` converts it to a JSON object. */
export type Output = JsonValue | Uint8Array | undefined;

export interface RunContext<Input> {
  http: Http;
  /** The input, already validated against the action's schema. */
  input: Input;
  auth: Credential | undefined;
  /** Aborts when the time limit of the action is reached. */
  signal: AbortSignal | undefined;
  /** A unique id that stays the same if the run is repeated. Use it for ids that a provider requires in a request. */
  runId: string | undefined;
}

/**
 * The context of an action that uses state. It has no HTTP client, because a run with a large response is repeated in a worker, which has no state.
 */
export interface StatefulContext<Input> extends Pick<RunContext<Input>, 'input' | 'signal'> {
  state: State;
}

/** The context of an action that runs code of its caller. The action itself sends no requests. */
export interface SandboxContext<Input, Runner = CodeRunner | ProgramRunner> extends Pick<
  RunContext<Input>,
  'input' | 'signal'
> {
  sandbox: Runner;
}
