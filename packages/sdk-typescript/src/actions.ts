import { type Catalog as BuiltIn } from './gen/catalog.js';
import {
  type ActionExplanation,
  type ApprovalRequired,
  type ExecuteActionRequest,
  type ExecutedAction,
} from './gen/models.js';
import { type Actions } from './gen/resources.js';
import { type RequestOptions } from './request.js';

/** A call of an action. The workspace may be that of the client, and the input any object: an interface, or a value of a schema library. */
export interface ActionCall extends Omit<ExecuteActionRequest, 'workspaceId' | 'input'> {
  workspaceId?: string;
  input?: object;
}

/** The response of `execute`: `success` is true if the action ran, and false if a person must approve the call first. */
export type ActionResult = ExecutedAction | ApprovalRequired;

/** The fields of a call besides the action and its input, such as `endUserId` and `idempotencyKey`. */
type CallOptions = Omit<ActionCall, 'integrationName' | 'actionName' | 'input'>;

/** A call with input of the type that the catalog declares for the action. */
export type TypedCall<
  Catalog,
  Integration extends keyof Catalog,
  Action extends keyof Catalog[Integration],
> = CallOptions & {
  integration: Integration;
  action: Action;
} & (Record<string, never> extends Catalog[Integration][Action]
    ? { input?: Catalog[Integration][Action] }
    : { input: Catalog[Integration][Action] });

/**
 * A method that takes a call of an action in one of two forms. `integration`, `action` and `input` are completed and checked with the catalog.
 * `integrationName` and `actionName`, the fields of the API, accept any integration and any input: use them if input partials provide required
 * fields.
 */
export interface ActionMethod<Catalog, Options, Result> {
  (call: ActionCall, options?: Options): Promise<Result>;
  <Integration extends keyof Catalog & string, Action extends keyof Catalog[Integration] & string>(
    call: TypedCall<Catalog, Integration, Action>,
    options?: Options,
  ): Promise<Result>;
}

/** The actions of a workspace: the one that a call names, or otherwise the client's workspace. */
export interface WorkspaceActions<Catalog = BuiltIn> {
  /**
   * Executes an action: `POST /api/v1/actions/execute`.
   *
   * Without an idempotency key the SDK generates one, so that a retry never runs the action twice. If an approval policy matches, the action did not
   * run and `success` is false: see `executeWithApproval`. Rejects with ActionFailedError if the action fails, with another ApiError if the API
   * refuses the call, and with TypeError without a workspace.
   */
  execute: ActionMethod<Catalog, RequestOptions, ActionResult>;

  /** Explains which connection, input and policy a call would use, without running it: `POST /api/v1/actions/explain`. */
  explain: ActionMethod<Catalog, RequestOptions, ActionExplanation>;
}

export function actionsOf<Catalog>(actions: Actions, workspaceId: string | undefined): WorkspaceActions<Catalog> {
  const inWorkspace = (call: ActionCall): ExecuteActionRequest => {
    const id = call.workspaceId ?? workspaceId;
    if (id) return { ...(call as ExecuteActionRequest), workspaceId: id };
    throw new TypeError('workspaceId is missing: name it in the call, or in the options of the client');
  };
  return {
    async execute(given: AnyCall, options?: RequestOptions) {
      const call = toActionCall(given);
      return actions.execute(inWorkspace({ ...call, idempotencyKey: call.idempotencyKey ?? newKey() }), options);
    },
    explain: async (call: AnyCall, options?: RequestOptions) =>
      actions.explain(inWorkspace(toActionCall(call)), options),
  };
}

/** A call with the fields of the API (`integrationName`, `actionName`) or with those of the catalog (`integration`, `action`). */
export type AnyCall = ActionCall | (CallOptions & { integration: string; action: string; input?: unknown });

/** Returns the call with the fields of the API. */
export function toActionCall(call: AnyCall): ActionCall {
  if (!('integration' in call)) return call;
  const { integration: integrationName, action: actionName, ...rest } = call;
  return { integrationName, actionName, ...(rest as Pick<ActionCall, 'input'>) };
}

const newKey = (): string => crypto.randomUUID();
