import { ApiError } from '@drawbridge/contracts';
import { isInScope } from './authorize.js';
import { type CallContext, caller, currentContext } from './context.js';
import { missingCaller } from './errors.js';

/**
 * Checks the workspace of each row that an RPC found; null or undefined stands for the organization itself. Rows of other organizations must already
 * be filtered out. Throws SCOPE_DENIED if the caller may not use this RPC there.
 */
export function requireInScope(...places: (string | null | undefined)[]): void {
  const { permissions } = caller();
  const { grant: need } = askedHere();
  const outside = places.findIndex((place) => !isInScope(need, permissions, place ?? undefined));
  if (outside >= 0) throw scopeDenied(places[outside]);
}

/** Returns the workspaces that a list is limited to; undefined: no limit. */
export function workspacesInScope(): string[] | undefined {
  askedHere();
  const { scope, workspaceIds = [] } = caller().permissions;
  return scope === 'org' ? undefined : workspaceIds;
}

export function scopeDenied(workspaceId: string | null | undefined): ApiError {
  const what = workspaceId ? `act in workspace ${workspaceId}` : "change what is the organization's own";
  return new ApiError('SCOPE_DENIED', `A caller that is limited to other workspaces cannot ${what}`);
}

/** Checks an RPC that also serves a user named by its row. Throws FORBIDDEN if the row does not name the caller and they lack the grant. */
export function requireNamed(isNamed: boolean): void {
  const serving = servingNow();
  serving.mustBeNamed = false;
  if (!isNamed)
    throw new ApiError('FORBIDDEN', `This needs the permission ${serving.grant}, unless the resource names you`);
}

function askedHere(): Serving {
  const serving = servingNow();
  serving.mustAsk = false;
  return serving;
}

type Serving = NonNullable<CallContext['serving']>;

function servingNow(): Serving {
  const serving = currentContext()?.serving;
  if (!serving) throw missingCaller();
  return serving;
}
