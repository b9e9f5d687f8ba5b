import { invalid } from '@drawbridge/contracts';
import { type Action, type Piece } from '@drawbridge/piece-kit';
import { isBuiltIn } from '@drawbridge/pieces';
import { type Invocation, type Persistence } from '@drawbridge/proto/drawbridge/catalog/v1/invocations';
import { type ExecuteActionRequest } from '@drawbridge/proto/drawbridge/execution/v1/actions';

/** Whose state a run works on, and of which integration. What is of another one does not exist for it. */
export interface StateSpace {
  orgId: string;
  workspaceId: string;
  scope: 'end_user' | 'end_user_record' | 'workspace' | 'external';
  /** The external id that a call or the owner gives; of an end user who has a record its id; of a workspace ''. */
  owner: string;
  integration: string;
}

/** $1 organization, $2 workspace, $3 scope, $4 owner. */
export const SPACE = `
  SELECT id FROM execution.state_spaces
  WHERE org_id = $1 AND workspace_id = $2 AND scope = $3 AND owner = $4 AND ended_at IS NULL`;

interface StatefulCall {
  orgId: string;
  request: Pick<ExecuteActionRequest, 'workspaceId' | 'endUserId'>;
  piece: Pick<Piece, 'name'>;
  action: Pick<Action, 'usesState'>;
  invocation: Pick<Invocation, 'instance'>;
}

/**
 * Spec silent: the instances of an integration share what is of the same owner, as a scope is whose it is. Undefined for an action
 * without state, and for any that is not ours. Throws VALIDATION_ERROR on endUserId where it is an end user's and none is named.
 */
export function stateSpaceOf({ orgId, request, piece, action, invocation }: StatefulCall): StateSpace | undefined {
  if (!action.usesState || !isBuiltIn(piece.name)) return undefined;
  const owner = ownerOf(invocation.instance?.persistence ?? {}, request.endUserId);
  return { ...owner, orgId, workspaceId: request.workspaceId, integration: piece.name };
}

function ownerOf({ scope, externalId }: Persistence, endUserId?: string): Pick<StateSpace, 'scope' | 'owner'> {
  if (scope === 'workspace') return { scope, owner: '' };
  // Settings without it are refused; fails closed all the same, to what is nobody else's.
  if (scope === 'external' && externalId) return { scope, owner: externalId };
  if (endUserId !== undefined) return { scope: 'end_user', owner: endUserId };
  throw invalid({
    endUserId: 'is required: what this integration keeps is of an end user, unless its settings say otherwise',
  });
}
