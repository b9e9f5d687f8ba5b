import { ApiError, invalid } from '@drawbridge/contracts';
import {
  type Action,
  inputSchema,
  type JsonObject,
  operationProblem,
  type Piece,
  type Trigger,
} from '@drawbridge/piece-kit';
import { findPiece } from '@drawbridge/pieces';
import { type Invocation } from '@drawbridge/proto/drawbridge/catalog/v1/invocations';
import { type ConfiguredInstance } from './configured-instances.js';
import { type Check, compileCheck, requireNoProblems } from './problems.js';

export function requirePiece(name: string): Piece {
  const piece = findPiece(name);
  // 404 is for an integration in a path; here the integration is a field of the body.
  if (!piece) throw new ApiError('INTEGRATION_NOT_FOUND', `Integration ${name} not found`, { status: 400 });
  return piece;
}

export function requireAction(piece: Piece, actionName: string): Action {
  const problem = operationProblem(piece, { actionName });
  if (problem) throw invalid(problem);
  return piece.actions[actionName]!;
}

export function requireTrigger({ name, triggers = {} }: Piece, triggerName: string): Trigger {
  const trigger = Object.hasOwn(triggers, triggerName) ? triggers[triggerName] : undefined;
  if (!trigger) throw new ApiError('TRIGGER_NOT_FOUND', `${name} has no trigger ${triggerName}`);
  return trigger;
}

export function requireEnabled(picked: ConfiguredInstance | undefined, actionName: string): void {
  if (!picked?.enabledActions || picked.enabledActions.includes(actionName)) return;
  throw new ApiError('FORBIDDEN', `${actionName} is not enabled for ${picked.instance.alias} in this workspace`);
}

const checks = new Map<Action | Trigger, Check>();

/** Compiles the schema of an action or a trigger once. */
export function requireInput(operation: Action | Trigger, input: object): void {
  const check = checks.get(operation) ?? compileCheck(inputSchema(operation.props), 'input');
  checks.set(operation, check);
  requireNoProblems(check(input));
}

/** Converts a resolved call. `merged`: the input, if partials changed it. */
export function toInvocation({ auth }: Piece, picked: ConfiguredInstance | undefined, merged?: JsonObject): Invocation {
  return {
    instance: picked?.instance,
    input: merged,
    connectionTypes: [...(auth?.types ?? [])],
    connectionRequired: auth?.required ?? false,
  };
}
