import { suspended } from '@drawbridge/contracts';
import { type Workspace, WorkspaceServiceDefinition } from '@drawbridge/proto/drawbridge/members/v1/workspaces';
import { type Network } from './client.js';
import { caller } from './context.js';
import { type CallOptions } from './wire-format.js';
import { memoize } from './memoize.js';

/** A deleted or suspended workspace must stop working immediately in every process, so a response is cached for less than a second. */
const REMEMBER_MS = 900;

/**
 * Fetches a workspace from the members service. Throws NOT_FOUND, SCOPE_DENIED if the caller's scope excludes the workspace, or FORBIDDEN if the
 * workspace is suspended.
 */
export function lookUpWorkspace(network: Network, options: CallOptions = {}): (id: string) => Promise<Workspace> {
  const members = network.client('members', WorkspaceServiceDefinition);
  return async (id) => {
    const workspace = await members.lookUpWorkspace({ id }, options);
    if (workspace.suspendedAt !== undefined) throw suspended('Workspace', id, workspace.suspensionReason);
    return workspace;
  };
}

/**
 * Fetches a workspace as `lookUpWorkspace` does, with a cache. Use it only for callers that are already authorized for the workspace, because all
 * callers of the organization share the cached response.
 */
export function liveWorkspaces(network: Network): (workspaceId: string) => Promise<Workspace> {
  const ask = lookUpWorkspace(network);
  const find = memoize({ ttlMs: REMEMBER_MS }, (key) => ask(key.slice(key.indexOf(' ') + 1)));
  return (workspaceId) => find(`${caller().orgId} ${workspaceId}`);
}
