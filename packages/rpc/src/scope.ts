import { ApiError } from '@drawbridge/contracts';
import { isInScope } from './authorize.js';
import { caller, type CallContext, currentContext } from './context.js';
import { missingCaller } from './errors.js';

/**
 * For what an RPC finds: the workspace that each is in, none for what is the organization's own. What is another organization's
 * was not found. Throws SCOPE_DENIED where the caller may not do there what this RPC does.
 */
export function requireInScope(...places: (string | null | undefined)[]): void {
  const { permissions } = caller();
  const { grant: need } = askedHere();
  const outside = places.findIndex((place) => !isInScope(need, permissions, place ?? undefined));
  if (outside >= 0) throw scopeDenied(places[outside]);
}

/** The workspaces that a list is held to; undefined: it shows everything. */
export function workspacesInScope(): string[] | undefined {
  askedHere();
  const { scope, workspaceIds = [] } = caller().permissions;
  return scope === 'org' ? undefined : workspaceIds;
}

export function scopeDenied(workspaceId: string | null | undefined): ApiError {
  const what = workspaceId ? `act in workspace ${workspaceId}` : "change what is the organization's own";
  return new ApiError('SCOPE_DENIED', `A caller that is limited to other workspaces may not ${what}`);
}

/** For an RPC that is also for whom its row names: whether it names who calls, or they are granted it. Throws FORBIDDEN. */
export function requireNamed(isNamed: boolean): void {
  const serving = servingNow();
  serving.mustBeNamed = false;
  if (!isNamed) throw new ApiError('FORBIDDEN', `This needs the permission ${serving.grant}, or to be named there`);
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
