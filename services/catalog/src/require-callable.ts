import { ApiError, invalid } from '@drawbridge/contracts';
import { type Action, inputSchema, operationProblem, type Piece } from '@drawbridge/piece-kit';
import { findPiece } from '@drawbridge/pieces';
import { type ConfiguredInstance } from './configured-instances.js';
import { type Check, compileCheck, requireNoProblems } from './problems.js';

export function requirePiece(name: string): Piece {
  const piece = findPiece(name);
  // 404 is for the integration in a path; here it is a key of the body.
  if (!piece) throw new ApiError('INTEGRATION_NOT_FOUND', `Integration ${name} not found`, { status: 400 });
  return piece;
}

export function requireAction(piece: Piece, actionName: string): Action {
  const problem = operationProblem(piece, { actionName });
  if (problem) throw invalid(problem);
  return piece.actions[actionName]!;
}

export function requireEnabled(picked: ConfiguredInstance | undefined, actionName: string): void {
  if (!picked?.enabledActions || picked.enabledActions.includes(actionName)) return;
  throw new ApiError('FORBIDDEN', `${actionName} is not enabled for ${picked.instance.alias} in this workspace`);
}

const checks = new Map<Action, Check>();

/** Compiles an action's schema once. */
export function requireInput(action: Action, input: object): void {
  const check = checks.get(action) ?? compileCheck(inputSchema(action.props), 'input');
  checks.set(action, check);
  requireNoProblems(check(input));
}
