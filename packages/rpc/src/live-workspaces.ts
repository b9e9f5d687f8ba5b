import { type Workspace, WorkspaceServiceDefinition } from '@drawbridge/proto/drawbridge/members/v1/workspaces';
import { type Network } from './client.js';
import { caller } from './context.js';
import { memoize } from './memoize.js';

/** A deleted workspace must be gone everywhere at once: what is known of one is a second old at most. */
const REMEMBER_MS = 900;

/** Asks members for a workspace of the caller's organization, for all who work in one. Throws NOT_FOUND. */
export function liveWorkspaces(network: Network): (workspaceId: string) => Promise<Workspace> {
  const members = network.client('members', WorkspaceServiceDefinition);
  const find = memoize({ ttlMs: REMEMBER_MS }, (key) => members.getWorkspace({ id: key.slice(key.indexOf(' ') + 1) }));
  return (workspaceId) => find(`${caller().orgId} ${workspaceId}`);
}
