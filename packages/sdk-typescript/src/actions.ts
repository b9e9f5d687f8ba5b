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

/** `success` says which of the two it is. */
export type ActionResult = ExecutedAction | ApprovalRequired;

/** The actions of the workspace of the client, or of the one that a call names. */
export interface WorkspaceActions {
  /**
   * Executes an action: `POST /api/v1/actions/execute`.
   *
   * Without an idempotency key the SDK makes one, so that a retry never runs the action twice. If an approval policy matches, nothing ran and
   * `success` is false: see `executeWithApproval`.
   */
  execute(call: ActionCall, options?: RequestOptions): Promise<ActionResult>;

  /** Explains which connection, input and policy a call would use, without running it: `POST /api/v1/actions/explain`. */
  explain(call: ActionCall, options?: RequestOptions): Promise<ActionExplanation>;
}

export function actionsOf(actions: Actions, workspaceId: string | undefined): WorkspaceActions {
  const inWorkspace = (call: ActionCall): ExecuteActionRequest => {
    const id = call.workspaceId ?? workspaceId;
    if (id) return { ...(call as ExecuteActionRequest), workspaceId: id };
    throw new TypeError('workspaceId is missing: name it in the call, or in the options of the client');
  };
  return {
    execute: async (call, options) => actions.execute(inWorkspace({ idempotencyKey: newKey(), ...call }), options),
    explain: async (call, options) => actions.explain(inWorkspace(call), options),
  };
}

const newKey = (): string => crypto.randomUUID();
