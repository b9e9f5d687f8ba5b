import type { CodeRunner, ProgramRunner } from './code-runner.js';
import type { Credential } from './credential.js';
import type { Http } from './http.js';
import type { JsonValue } from './json.js';
import type { State } from './state.js';

/** What a `run` may answer; `toOutput` makes a JSON object of it. */
export type Output = JsonValue | Uint8Array | undefined;

export interface RunContext<Input> {
  http: Http;
  /** Already validated against the action's schema. */
  input: Input;
  auth: Credential | undefined;
  /** Aborted at the end of the time the action has. */
  signal: AbortSignal | undefined;
}

/** It sends nothing: a run with a large answer is gone through again where no state is. */
export interface StatefulContext<Input> extends Pick<RunContext<Input>, 'input' | 'signal'> {
  state: State;
}

/** The context of an action that runs code of its caller. It sends nothing itself. */
export interface SandboxContext<Input, Runner = CodeRunner | ProgramRunner> extends Pick<
  RunContext<Input>,
  'input' | 'signal'
> {
  sandbox: Runner;
}
