import { invalid } from '@drawbridge/contracts';
import { type Action, type Piece } from '@drawbridge/piece-kit';
import { isBuiltIn } from '@drawbridge/pieces';
import { type Invocation, type Persistence } from '@drawbridge/proto/drawbridge/catalog/v1/invocations';
import { type ExecuteActionRequest } from '@drawbridge/proto/drawbridge/execution/v1/actions';

/** The owner and the integration of the state that a run uses. Entries of other spaces are invisible to the run. */
export interface StateSpace {
  orgId: string;
  workspaceId: string;
  scope: 'end_user' | 'end_user_record' | 'workspace' | 'external';
  /** The externalId of the call or the settings; the record id for an end user with a record; '' for a workspace. */
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
 * Spec silent: all configured integrations of one piece share the state of the same owner. Returns undefined for an action that uses no
 * state, and for pieces that are not built in. Throws VALIDATION_ERROR on endUserId if the state belongs to an end user and the call names none.
 */
export function stateSpaceOf({ orgId, request, piece, action, invocation }: StatefulCall): StateSpace | undefined {
  if (!action.usesState || !isBuiltIn(piece.name)) return undefined;
  const owner = ownerOf(invocation.instance?.persistence ?? {}, request.endUserId);
  return { ...owner, orgId, workspaceId: request.workspaceId, integration: piece.name };
}

function ownerOf({ scope, externalId }: Persistence, endUserId?: string): Pick<StateSpace, 'scope' | 'owner'> {
  if (scope === 'workspace') return { scope, owner: '' };
  // Saved settings always have an externalId here. If it is missing, the state falls back to the end user and is not shared.
  if (scope === 'external' && externalId) return { scope, owner: externalId };
  if (endUserId !== undefined) return { scope: 'end_user', owner: endUserId };
  throw invalid({
    endUserId: 'is required: what this integration keeps is of an end user, unless its settings say otherwise',
  });
}
