import { ApiError } from '@drawbridge/contracts';
import { type Action, type JsonObject, type Piece } from '@drawbridge/piece-kit';
import { findPiece } from '@drawbridge/pieces';
import { type Invocation } from '@drawbridge/proto/drawbridge/catalog/v1/invocations';
import { type ExecuteActionRequest } from '@drawbridge/proto/drawbridge/execution/v1/actions';
import { type StateSpace, stateSpaceOf } from '../state/state-space.js';
import { type ActionCall, type Pipeline } from './pipeline.js';

/** What a call means, and the code that does it. */
export interface ResolvedCall {
  invocation: Invocation;
  /** What the action runs with, valid. */
  input: JsonObject;
  piece: Piece;
  action: Action;
  /** What it keeps things in, where it does. */
  space?: StateSpace;
}

/**
 * Which configured integration is meant, whether the input is valid, and whose state it works on; fails as the catalog and
 * `stateSpaceOf` do. Throws UNAVAILABLE for what the catalog has and this process has not, as while one of them is older:
 * nothing was claimed yet.
 */
export async function resolve(
  { invocations }: Pick<Pipeline, 'invocations'>,
  { request, who: { orgId } }: ActionCall,
): Promise<ResolvedCall> {
  const invocation = await invocations.resolveInvocation(request);
  const code = requireCode(request);
  const space = stateSpaceOf({ orgId, request, invocation, ...code });
  return { invocation, input: invocation.input ?? request.input ?? {}, ...code, space };
}

/** Throws UNAVAILABLE. */
export function requireCode({
  integrationName,
  actionName,
}: Pick<ExecuteActionRequest, 'integrationName' | 'actionName'>): Pick<ResolvedCall, 'piece' | 'action'> {
  const piece = findPiece(integrationName);
  const action = piece && Object.hasOwn(piece.actions, actionName) ? piece.actions[actionName] : undefined;
  if (!piece || !action) throw new ApiError('UNAVAILABLE', `${integrationName}.${actionName} can not be run here yet`);
  return { piece, action };
}
