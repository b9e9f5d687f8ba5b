import { ApiError } from '@drawbridge/contracts';
import { WorkspaceServiceDefinition } from '@drawbridge/proto/drawbridge/members/v1/workspaces';
import { memoize, type Network } from '@drawbridge/rpc';

/** A workspace that is suspended or deleted is so everywhere within a second. */
const REMEMBER_MS = 900;
const ASK_TIMEOUT_MS = 3_000;

/** `gone`: the workspace is deleted, and its data soon will be. */
export type WorkspaceState = 'live' | 'suspended' | 'gone';

interface Place {
  orgId: string;
  workspaceId: string;
}

export interface WorkspaceStates {
  /** Returns a state that is at most a second old. Throws UNAVAILABLE if members does not answer. */
  find(place: Place): Promise<WorkspaceState>;
  /** Returns those that are suspended now. */
  suspendedOf(orgId: string, workspaceIds: string[]): Promise<Set<string>>;
}

/** Reads the states of workspaces from members, for work without a caller. */
export function workspaceStates(network: Network): WorkspaceStates {
  const members = network.client('members', WorkspaceServiceDefinition);
  const ask = async (orgId: string, placeIds: string[]) => {
    const asked = members.listWorkspaceStates({ orgId, placeIds }, { timeoutMs: ASK_TIMEOUT_MS });
    return (await asked).states;
  };
  const find = memoize({ ttlMs: REMEMBER_MS }, async (workspaceId: string, orgId: string): Promise<WorkspaceState> => {
    const [state] = await ask(orgId, [workspaceId]).catch(cannotSay);
    if (!state) return 'gone';
    return state.isSuspended ? 'suspended' : 'live';
  });
  return {
    find: ({ orgId, workspaceId }) => find(workspaceId, orgId),

    async suspendedOf(orgId, workspaceIds) {
      const states = await ask(orgId, workspaceIds);
      return new Set(states.flatMap(({ id, isSuspended }) => (isSuspended ? [id] : [])));
    },
  };
}

/** Callers retry after UNAVAILABLE and count no failure. */
function cannotSay(cause: unknown): never {
  throw new ApiError('UNAVAILABLE', 'Could not check whether the workspace is suspended. Try again', {
    cause,
  });
}
