import { type WorkspaceServiceDefinition } from '@drawbridge/proto/drawbridge/members/v1/workspaces';
import { caller, type Client, remember } from '@drawbridge/rpc';

/** A deleted workspace must be gone everywhere at once: what is known of one is a second old at most. */
const REMEMBER_MS = 900;

/** Asks members whether the caller's organization has the workspace. Fails with NOT_FOUND. */
export function liveWorkspaces(
  workspaces: Client<typeof WorkspaceServiceDefinition>,
): (workspaceId: string) => Promise<unknown> {
  const find = remember({ ttlMs: REMEMBER_MS }, (key) => workspaces.getWorkspace({ id: key.split(' ')[1] ?? '' }));
  return (workspaceId) => find(`${caller().orgId} ${workspaceId}`);
}
