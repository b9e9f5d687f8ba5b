import { suspended } from '@drawbridge/contracts';
import { type Workspace, WorkspaceServiceDefinition } from '@drawbridge/proto/drawbridge/members/v1/workspaces';
import { type Network } from './client.js';
import { caller } from './context.js';
import { type CallOptions } from './definition.js';
import { memoize } from './memoize.js';

/** A deleted or suspended workspace must be gone everywhere at once: what is known of one is a second old at most. */
const REMEMBER_MS = 900;

/** Asks members for a workspace to work in. Throws NOT_FOUND, SCOPE_DENIED for one that the caller may not enter, FORBIDDEN for a suspended one. */
export function lookUpWorkspace(network: Network, options: CallOptions = {}): (id: string) => Promise<Workspace> {
  const members = network.client('members', WorkspaceServiceDefinition);
  return async (id) => {
    const workspace = await members.lookUpWorkspace({ id }, options);
    if (workspace.suspendedAt !== undefined) throw suspended('Workspace', id, workspace.suspensionReason);
    return workspace;
  };
}

/** The same, remembered, for those who were let into it: what one of them was told is so for all of them. */
export function liveWorkspaces(network: Network): (workspaceId: string) => Promise<Workspace> {
  const ask = lookUpWorkspace(network);
  const find = memoize({ ttlMs: REMEMBER_MS }, (key) => ask(key.slice(key.indexOf(' ') + 1)));
  return (workspaceId) => find(`${caller().orgId} ${workspaceId}`);
}
