import { ApiError } from '@drawbridge/contracts';
import { type Action, type JsonObject, type Piece } from '@drawbridge/piece-kit';
import { findPiece } from '@drawbridge/pieces';
import { type Invocation } from '@drawbridge/proto/drawbridge/catalog/v1/invocations';
import { type ExecuteActionRequest } from '@drawbridge/proto/drawbridge/execution/v1/actions';
import { type CodeSlot } from '../running/code-runner.js';
import { type ContainerSlot } from '../running/container-runner.js';
import { environmentOf, type StateSpace, stateSpaceOf } from '../state/state-space.js';
import { select, type SelectedConnection } from './connection.js';
import { type ActionCall, type Pipeline } from './pipeline.js';

/** The configured integration, the input and the code of a call. */
export interface ResolvedCall {
  invocation: Invocation;
  /** The validated input of the action. */
  input: JsonObject;
  piece: Piece;
  action: Action;
  /** The stored state that the action uses or mounts as files. */
  space?: StateSpace;
  /** The owner of the persistent environment of a program. */
  environment?: StateSpace;
  /** The sandbox slot of an action that runs code. Absent until the slot is acquired. */
  slot?: CodeSlot | ContainerSlot;
}

/**
 * Resolves the configured integration, validates the input and determines which stored state the call uses. Throws the errors of the catalog and of
 * `stateSpaceOf`. Throws UNAVAILABLE if the catalog contains the action but this process does not, which can happen during a deployment.
 */
export async function resolve(
  { invocations }: Pick<Pipeline, 'invocations'>,
  { request, who: { orgId } }: ActionCall,
): Promise<ResolvedCall> {
  return toResolved(orgId, request, await invocations.resolveInvocation(request));
}

function toResolved(orgId: string, request: ExecuteActionRequest, invocation: Invocation): ResolvedCall {
  const code = requireCode(request);
  const call = { orgId, request, invocation, ...code };
  const [space, environment] = [stateSpaceOf(call), environmentOf(call)];
  return { invocation, input: invocation.input ?? request.input ?? {}, ...code, space, environment };
}

/**
 * Selects the connection of a resolved call. If it has none, resolves the call again with the current configuration: the caller may have just
 * configured the connection through another process, and the catalog caches a configuration for a second. Returns the call that has the connection.
 * Throws the errors of the vault.
 */
export async function selectCurrent<Call extends ActionCall & ResolvedCall>(
  pipeline: Pick<Pipeline, 'invocations' | 'vault'>,
  call: Call,
): Promise<{ call: Call; selected: SelectedConnection | undefined }> {
  try {
    return { call, selected: await select(pipeline, call) };
  } catch (error) {
    if (!(error instanceof ApiError && error.code === 'CONNECTION_REQUIRED')) throw error;
    // An explanation never uses the cache.
    const { refusal, invocation } = await pipeline.invocations.explainInvocation(call.request);
    if (refusal || !invocation || isSameInstance(invocation, call.invocation)) throw error;
    const again = { ...call, ...toResolved(call.who.orgId, call.request, invocation) };
    return { call: again, selected: await select(pipeline, again) };
  }
}

const isSameInstance = (one: Invocation, other: Invocation): boolean =>
  JSON.stringify(one.instance) === JSON.stringify(other.instance);

/** Returns the piece and the action of a call. Throws UNAVAILABLE if this process does not contain them. */
export function requireCode({
  integrationName,
  actionName,
}: Pick<ExecuteActionRequest, 'integrationName' | 'actionName'>): Pick<ResolvedCall, 'piece' | 'action'> {
  const piece = findPiece(integrationName);
  const action = piece && Object.hasOwn(piece.actions, actionName) ? piece.actions[actionName] : undefined;
  if (!piece || !action)
    throw new ApiError(
      'UNAVAILABLE',
      `${integrationName}.${actionName} is not available in this process yet. Try again later.`,
    );
  return { piece, action };
}

/**
 * Replaces the externalId of an end user by the id of the end user's record, if a record exists. A later end user with the same externalId can then
 * not read the state, and a run that outlives the record stores nothing. An externalId without a record has separate state, which is deleted when a
 * record of that externalId is deleted. Throws the errors of the vault.
 */
export async function identify(
  { vault }: Pick<Pipeline, 'vault'>,
  space: StateSpace | undefined,
): Promise<StateSpace | undefined> {
  if (space?.scope !== 'end_user') return space;
  const { workspaceId, owner: externalId } = space;
  const { endUserId } = await vault.identifyEndUser({ workspaceId, externalId });
  return endUserId === undefined ? space : { ...space, scope: 'end_user_record', owner: endUserId };
}
