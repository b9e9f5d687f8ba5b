import { invalid } from '@drawbridge/contracts';
import { type Action, type Piece } from '@drawbridge/piece-kit';
import { isBuiltIn } from '@drawbridge/pieces';
import { type Instance, type Invocation, type Persistence } from '@drawbridge/proto/drawbridge/catalog/v1/invocations';
import { type ExecuteActionRequest } from '@drawbridge/proto/drawbridge/execution/v1/actions';

/** Identifies the stored state that a run uses, by its owner and integration. A run cannot read the entries of any other space. */
export interface StateSpace {
  orgId: string;
  workspaceId: string;
  scope: 'end_user' | 'end_user_record' | 'workspace' | 'external';
  /** The externalId of the request or the settings, the record id of an end user with a record, or '' for a workspace. */
  owner: string;
  integration: string;
}

/** Selects the id of a space. Parameters: $1 organization, $2 workspace, $3 scope, $4 owner. */
export const SPACE = `
  SELECT id FROM execution.state_spaces
  WHERE org_id = $1 AND workspace_id = $2 AND scope = $3 AND owner = $4 AND ended_at IS NULL`;

interface StatefulCall {
  orgId: string;
  request: Pick<ExecuteActionRequest, 'workspaceId' | 'endUserId'>;
  piece: Pick<Piece, 'name'>;
  action: Pick<Action, 'usesState' | 'usesSandbox'>;
  invocation: Pick<Invocation, 'instance'>;
}

/**
 * Returns the state space of a call, or undefined if the action uses no state or the piece is not built in. The files of a program are state too.
 * Throws VALIDATION_ERROR for endUserId if the state belongs to an end user and the request names none. All configured integrations of a piece share
 * the state of one owner.
 */
export function stateSpaceOf({ orgId, request, piece, action, invocation }: StatefulCall): StateSpace | undefined {
  const persistence = isBuiltIn(piece.name) ? persistenceOf(action, invocation.instance) : undefined;
  if (!persistence) return undefined;
  const owner = ownerOf(persistence, request.endUserId);
  return { ...owner, orgId, workspaceId: request.workspaceId, integration: piece.name };
}

function persistenceOf(action: StatefulCall['action'], instance: Instance | undefined): Persistence | undefined {
  if (action.usesState) return instance?.persistence ?? {};
  const { storageMountScope: scope = 'none', storageExternalId: externalId } = instance?.advancedCode ?? {};
  return action.usesSandbox && scope !== 'none' ? { scope, externalId } : undefined;
}

/**
 * Returns the owner of a program's persistent environment: the end user if the request names one, otherwise the workspace. Each configured
 * integration has separate environments. Returns undefined if the program runs in a fresh environment.
 */
export function environmentOf({ orgId, request, piece, action, invocation }: StatefulCall): StateSpace | undefined {
  const { id: integration, advancedCode } = invocation.instance ?? {};
  const isPersistent = advancedCode?.sandboxPersistence === 'persistent';
  if (!action.usesSandbox || !isBuiltIn(piece.name) || !isPersistent || !integration) return undefined;
  const { workspaceId, endUserId: owner } = request;
  const space =
    owner === undefined ? { scope: 'workspace' as const, owner: '' } : { scope: 'end_user' as const, owner };
  return { ...space, orgId, workspaceId, integration };
}

function ownerOf({ scope, externalId }: Persistence, endUserId?: string): Pick<StateSpace, 'scope' | 'owner'> {
  if (scope === 'workspace') return { scope, owner: '' };
  // Saved settings always contain an externalId for this scope. If it is missing, the state belongs to the end user and is not shared.
  if (scope === 'external' && externalId) return { scope, owner: externalId };
  if (endUserId !== undefined) return { scope: 'end_user', owner: endUserId };
  throw invalid({
    endUserId:
      'is required: this integration stores data for each end user. To share the data, set settings.persistence.scope to "workspace"',
  });
}
