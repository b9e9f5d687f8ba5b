import type { CodeRunner, ProgramRunner } from './code-runner.js';
import type { JsonObject } from './json.js';
import type { InputOf, Props, Refreshed } from './property.js';
import { ProviderError } from './provider-error.js';
import { callRunner, type Call } from './run-action.js';
import type { Output, RunContext, SandboxContext, StatefulContext } from './run-context.js';

/** The most severe effect of an action. Approval policies are matched against it. */
export const CATEGORIES = ['read', 'write', 'delete', 'send', 'payment', 'admin', 'code'] as const;
export type Category = (typeof CATEGORIES)[number];

/** The effect of an action. Its category determines the effect (see EFFECTS). */
export type Effect = 'read' | 'write' | 'destructive';

interface Declaration<P extends Props> {
  displayName: string;
  description: string;
  /** One sentence for the approver of a call, with values of its input in braces: `Send a message to {channel}`. */
  summary?: string;
  category: Category;
  /** Returns the category of one call if it depends on the input. Default: `category`. */
  categoryOf?: (input: JsonObject) => Category;
  /**
   * Set if the caller determines the method and URL of the request. The action is available only where `enabledActions` contains it, because policies
   * for other actions do not match it. A rejected credential does not mark the connection as invalid, because only the chosen endpoint may have
   * rejected it.
   */
  isRaw?: true;
  /** Set for a `write` that only adds data and changes or removes none. MCP clients receive `destructiveHint: false` for it. */
  adds?: true;
  /** Set if repeating the action has the same effect as running it once. Default: true for reads, false otherwise. */
  idempotent?: boolean;
  /** The timeout of one outgoing request. */
  timeoutMs?: number;
  /** Set if the action evaluates code of its caller, so that it must run in a separate process with time and memory limits. */
  isolated?: boolean;
  /** The inputs that contain recipients: addresses, users, channels. Policies are matched against them. */
  recipients?: readonly (keyof P & string)[];
  props: P;
}

type Work<P extends Props> =
  | { call: Call<keyof P & string>; run?: undefined }
  | { run(context: RunContext<InputOf<P>>): Promise<Output>; call?: undefined };

export interface Action extends Omit<Declaration<Props>, 'adds'> {
  readonly idempotent: boolean;
  /** True if the action does not change or remove existing data. */
  readonly adds: boolean;
  readonly effect: Effect;
  /** The declared request, for an action that consists of a single request. */
  readonly call?: Call;
  /** Set if the action uses stored state. Its `run` then receives `state`. */
  readonly usesState?: true;
  /** Set if the action runs code of its caller. Its `run` then receives `sandbox`. */
  readonly usesSandbox?: true;
  /** Set if the sandbox is a container instead of a JavaScript VM. */
  readonly runsProgram?: true;
  run(
    context: RunContext<JsonObject> & Partial<StatefulContext<JsonObject>> & Partial<SandboxContext<JsonObject>>,
  ): Promise<Output>;
}

/** Declares an action: its inputs, and its work as one request (`call`) or as code (`run`). */
export function action<const P extends Props>(definition: Declaration<P & Refreshed<P>> & Work<P>): Action {
  const effect = EFFECTS[definition.category];
  const idempotent = definition.idempotent ?? effect === 'read';
  const adds = definition.adds ?? ADDING.has(definition.category);
  const known = { ...definition, idempotent, effect, adds };
  if (definition.call) return { ...known, run: callRunner(definition.call) };

  // The cast is safe: before an action runs, its input is validated against the schema from which the type derives.
  return { ...known, run: definition.run as Action['run'] };
}

/** Declares an action that uses state. Only built-in pieces can contain such actions. */
export function statefulAction<const P extends Props>(
  definition: Declaration<P & Refreshed<P>> & { run(context: StatefulContext<InputOf<P>>): Promise<Output> },
): Action {
  const run = async ({ state, input, signal }: Parameters<Action['run']>[0]): Promise<Output> => {
    if (!state) throw new Error('A stateful action needs a state');
    return definition.run({ state, signal, input: input as InputOf<P> }); // The schema has validated the input.
  };
  return { ...action({ ...definition, run: async () => undefined }), usesState: true, run };
}

/** Declares an action that runs code of its caller. Only built-in pieces can contain such actions. */
export function sandboxAction<const P extends Props>(
  definition: Declaration<P & Refreshed<P>> & { run(context: SandboxContext<InputOf<P>, CodeRunner>): Promise<Output> },
): Action {
  const run = async ({ sandbox, input, signal }: Parameters<Action['run']>[0]): Promise<Output> => {
    if (!sandbox || !('run' in sandbox)) throw noSandbox();
    return definition.run({ sandbox, signal, input: input as InputOf<P> }); // The schema has validated the input.
  };
  return { ...action({ ...definition, run: async () => undefined }), usesSandbox: true, run };
}

/** Declares an action that runs a program of its caller in a container. Only built-in pieces can contain such actions. */
export function programAction<const P extends Props>(
  definition: Declaration<P & Refreshed<P>> & {
    run(context: SandboxContext<InputOf<P>, ProgramRunner>): Promise<Output>;
  },
): Action {
  const run = async ({ sandbox, input, signal }: Parameters<Action['run']>[0]): Promise<Output> => {
    if (!sandbox || !('runProgram' in sandbox)) throw noSandbox();
    return definition.run({ sandbox, signal, input: input as InputOf<P> }); // The schema has validated the input.
  };
  return { ...action({ ...definition, run: async () => undefined }), usesSandbox: true, runsProgram: true, run };
}

function noSandbox(): ProviderError {
  return new ProviderError('This server cannot run code. Its operator must configure a sandbox', {
    code: 'UNAVAILABLE',
  });
}

/** An effect that cannot be undone is destructive. A payment only adds data. Changes of permissions, and code, may delete anything. */
const EFFECTS: Record<Category, Effect> = {
  read: 'read',
  write: 'write',
  send: 'write',
  payment: 'write',
  delete: 'destructive',
  admin: 'destructive',
  code: 'destructive',
};

/** Categories of actions that change no existing data. */
const ADDING: ReadonlySet<Category> = new Set(['read', 'send', 'payment']);
