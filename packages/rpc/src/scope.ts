import { ApiError, type Need } from '@drawbridge/contracts';
import { isInScope } from './authorize.js';
import { caller, currentContext } from './context.js';
import { missingCaller } from './errors.js';

/**
 * For what an RPC finds: the workspace that each is in, none for what is the organization's own. What is another organization's
 * was not found. Throws SCOPE_DENIED where the caller may not do there what this RPC does.
 */
export function requireInScope(...places: (string | null | undefined)[]): void {
  const { permissions } = caller();
  const need = neededHere();
  const outside = places.findIndex((place) => !isInScope(need, permissions, place ?? undefined));
  if (outside >= 0) throw scopeDenied(places[outside]);
}

/** The workspaces that a list is held to; undefined: it shows everything. */
export function workspacesInScope(): string[] | undefined {
  neededHere();
  const { scope, workspaceIds = [] } = caller().permissions;
  return scope === 'org' ? undefined : workspaceIds;
}

export function scopeDenied(workspaceId: string | null | undefined): ApiError {
  const what = workspaceId ? `act in workspace ${workspaceId}` : "change what is the organization's own";
  return new ApiError('SCOPE_DENIED', `A caller that is limited to other workspaces may not ${what}`);
}

function neededHere(): Need {
  const serving = currentContext()?.serving;
  if (!serving) throw missingCaller();
  serving.mustAsk = false;
  return serving.grant;
}
