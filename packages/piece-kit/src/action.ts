import type { JsonObject } from './json.js';
import type { InputOf, Props, Refreshed } from './property.js';
import { callRunner, type Call } from './run-action.js';
import type { Output, RunContext, StatefulContext } from './run-context.js';

/** What an action does to the world, at its worst. Approval policies match it. */
export const CATEGORIES = ['read', 'write', 'delete', 'send', 'payment', 'admin', 'code'] as const;
export type Category = (typeof CATEGORIES)[number];

/** The same in three words, as who asks a person for leave knows it. */
export type Effect = 'read' | 'write' | 'destructive';

interface Declaration<P extends Props> {
  displayName: string;
  description: string;
  category: Category;
  /** A `write` that only adds: it changes and removes nothing that exists. MCP clients learn it as `destructiveHint: false`. */
  adds?: true;
  /** Sending it twice is as good as once. Reading is, the rest only where it says so. */
  idempotent?: boolean;
  /** Of one outgoing request. */
  timeoutMs?: number;
  /** Its work is what its caller wrote: it is done in a process of its own, with bounds of time and memory. */
  isolated?: boolean;
  /** Which inputs name who receives something: addresses, users, channels. Policies match them. */
  recipients?: readonly (keyof P & string)[];
  props: P;
}

type Work<P extends Props> =
  | { call: Call<keyof P & string>; run?: undefined }
  | { run(context: RunContext<InputOf<P>>): Promise<Output>; call?: undefined };

export interface Action extends Omit<Declaration<Props>, 'adds'> {
  readonly idempotent: boolean;
  /** It changes and removes nothing that exists. */
  readonly adds: boolean;
  readonly effect: Effect;
  /** The request as data, for actions that are one request. */
  readonly call?: Call;
  /** It keeps something, and is run with a place for it. */
  readonly usesState?: true;
  run(context: RunContext<JsonObject> & Partial<StatefulContext<JsonObject>>): Promise<Output>;
}

/** Declares an action: its inputs, and its work as one request (`call`) or as code (`run`). */
export function action<const P extends Props>(definition: Declaration<P & Refreshed<P>> & Work<P>): Action {
  const effect = EFFECTS[definition.category];
  const idempotent = definition.idempotent ?? effect === 'read';
  const adds = definition.adds ?? ADDING.has(definition.category);
  const known = { ...definition, idempotent, effect, adds };
  if (definition.call) return { ...known, run: callRunner(definition.call) };

  // The schema that gives the input its type has accepted it before an action runs.
  return { ...known, run: definition.run as Action['run'] };
}

/** Declares an action that keeps something: for pieces of this repository alone. */
export function statefulAction<const P extends Props>(
  definition: Declaration<P & Refreshed<P>> & { run(context: StatefulContext<InputOf<P>>): Promise<Output> },
): Action {
  const run = async ({ state, input, signal }: Parameters<Action['run']>[0]): Promise<Output> => {
    if (!state) throw new Error('An action with state was run without');
    return definition.run({ state, signal, input: input as InputOf<P> }); // the schema has accepted it
  };
  return { ...action({ ...definition, run: async () => undefined }), usesState: true, run };
}

/** What is lost or changed beyond undoing is destructive. A payment adds one; who may do what, and code, may end anything. */
const EFFECTS: Record<Category, Effect> = {
  read: 'read',
  write: 'write',
  send: 'write',
  payment: 'write',
  delete: 'destructive',
  admin: 'destructive',
  code: 'destructive',
};

/** Categories whose actions change nothing that exists. */
const ADDING: ReadonlySet<Category> = new Set(['read', 'send', 'payment']);
