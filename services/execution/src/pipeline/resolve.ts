import { ApiError } from '@drawbridge/contracts';
import { type Action, type JsonObject, type Piece } from '@drawbridge/piece-kit';
import { findPiece } from '@drawbridge/pieces';
import { type Invocation } from '@drawbridge/proto/drawbridge/catalog/v1/invocations';
import { type ExecuteActionRequest } from '@drawbridge/proto/drawbridge/execution/v1/actions';
import { type ActionCall, type Pipeline } from './pipeline.js';

/** What a call means, and the code that does it. */
export interface ResolvedCall {
  invocation: Invocation;
  /** What the action runs with, valid. */
  input: JsonObject;
  piece: Piece;
  action: Action;
}

/**
 * Which configured integration is meant, and whether the input is valid; fails as the catalog does. Throws UNAVAILABLE
 * for what the catalog has and this process has not, as while one of them is older: nothing was claimed yet.
 */
export async function resolve(
  { invocations }: Pick<Pipeline, 'invocations'>,
  { request }: ActionCall,
): Promise<ResolvedCall> {
  const invocation = await invocations.resolveInvocation(request);
  return { invocation, input: invocation.input ?? request.input ?? {}, ...requireCode(request) };
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
