import { ApiError } from '@drawbridge/contracts';
import { WorkspaceServiceDefinition } from '@drawbridge/proto/drawbridge/members/v1/workspaces';
import { memoize, type Network } from '@drawbridge/rpc';
import { type Source } from '../gen/prisma/client.js';

/**
 * Time, in milliseconds, for which states are cached, so that a suspension or deletion of a workspace takes effect in every process within a second.
 */
const REMEMBER_MS = 900;
const ASK_TIMEOUT_MS = 3_000;

/** The state of a workspace. `gone` means that the workspace is deleted, and its data will be deleted soon. */
export type WorkspaceState = 'live' | 'suspended' | 'gone';

export type WorkspaceStates = ReturnType<typeof workspaceStates>;

/** Reads the states of workspaces from the members service, for background work without a caller. */
export function workspaceStates(network: Network) {
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
    /** Returns a state that is at most a second old. Throws UNAVAILABLE if the members service does not respond. */
    find: ({ orgId, workspaceId }: Pick<Source, 'orgId' | 'workspaceId'>) => find(workspaceId, orgId),

    /** Returns the workspaces that are currently suspended. */
    async suspendedOf(orgId: string, workspaceIds: string[]): Promise<Set<string>> {
      const states = await ask(orgId, workspaceIds);
      return new Set(states.flatMap(({ id, isSuspended }) => (isSuspended ? [id] : [])));
    },
  };
}

/** Throws UNAVAILABLE, after which callers retry without counting a failure. */
function cannotSay(cause: unknown): never {
  throw new ApiError('UNAVAILABLE', 'Could not check whether the workspace is suspended. Try again', {
    cause,
  });
}
