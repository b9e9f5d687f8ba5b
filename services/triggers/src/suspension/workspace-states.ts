import { ApiError } from '@drawbridge/contracts';
import { WorkspaceServiceDefinition } from '@drawbridge/proto/drawbridge/members/v1/workspaces';
import { memoize, type Network } from '@drawbridge/rpc';

/** Suspending and deleting hold everywhere within a second. */
const REMEMBER_MS = 900;
const ASK_TIMEOUT_MS = 3_000;

/** `gone`: it is deleted, and what it held soon is. */
export type WorkspaceState = 'live' | 'suspended' | 'gone';

interface Place {
  orgId: string;
  workspaceId: string;
}

export interface WorkspaceStates {
  /** As it was within the last second. Throws UNAVAILABLE where members does not say. */
  find(place: Place): Promise<WorkspaceState>;
  /** Which of them are suspended now. */
  suspendedOf(orgId: string, workspaceIds: string[]): Promise<Set<string>>;
}

/** Asks members of workspaces in which nobody acts who could be asked for. */
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

/** Who waits for it tries again, and has failed at nothing. */
function cannotSay(cause: unknown): never {
  throw new ApiError('UNAVAILABLE', 'Nobody can say now whether a workspace is suspended', { cause });
}
