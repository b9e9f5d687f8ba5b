import type { JsonObject } from './json.js';
import type { InputOf, Props } from './property.js';
import { callRunner, type Call } from './run-action.js';
import type { Output, RunContext } from './run-context.js';

/** What an action does to the world, at its worst. Approval policies match it. */
export type Category = 'read' | 'write' | 'delete' | 'send' | 'payment' | 'admin' | 'code';

interface Declaration<P extends Props> {
  displayName: string;
  description: string;
  category: Category;
  /** Sending it twice is as good as once. Reading is, the rest only where it says so. */
  idempotent?: boolean;
  /** Of one outgoing request. */
  timeoutMs?: number;
  props: P;
}

type Work<P extends Props> =
  | { call: Call<keyof P & string>; run?: undefined }
  | { run(context: RunContext<InputOf<P>>): Promise<Output>; call?: undefined };

export interface Action extends Declaration<Props> {
  readonly idempotent: boolean;
  /** The request as data, for actions that are one request. */
  readonly call?: Call;
  run(context: RunContext<JsonObject>): Promise<Output>;
}

/** Declares an action: its inputs, and its work as one request (`call`) or as code (`run`). */
export function action<const P extends Props>(definition: Declaration<P> & Work<P>): Action {
  const idempotent = definition.idempotent ?? definition.category === 'read';
  if (definition.call) return { ...definition, idempotent, run: callRunner(definition.call) };

  // The schema that gives the input its type has accepted it before an action runs.
  return { ...definition, idempotent, run: definition.run as Action['run'] };
}
