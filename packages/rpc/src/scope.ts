import { ApiError } from '@drawbridge/contracts';
import { isInScope } from './authorize.js';
import { type CallContext, caller, currentContext } from './context.js';
import { missingCaller } from './errors.js';

/**
 * Checks the workspace of each row that an RPC found. Null or undefined means that the row belongs to the organization itself. Rows of other
 * organizations must already be filtered out. Throws SCOPE_DENIED if the caller may not use this RPC in one of the workspaces.
 */
export function requireInScope(...places: (string | null | undefined)[]): void {
  const { permissions } = caller();
  const { grant: need } = askedHere();
  const outside = places.findIndex((place) => !isInScope(need, permissions, place ?? undefined));
  if (outside >= 0) throw scopeDenied(places[outside]);
}

/** Returns the workspaces to which the caller's lists are limited, or undefined if there is no limit. */
export function workspacesInScope(): string[] | undefined {
  askedHere();
  const { scope, workspaceIds = [] } = caller().permissions;
  return scope === 'org' ? undefined : workspaceIds;
}

export function scopeDenied(workspaceId: string | null | undefined): ApiError {
  const what = workspaceId ? `act in workspace ${workspaceId}` : "change what is the organization's own";
  return new ApiError('SCOPE_DENIED', `A caller that is limited to other workspaces cannot ${what}`);
}

/**
 * Checks the call of an RPC that also serves a user without the grant if its row names that user. Throws FORBIDDEN if the caller lacks the grant and
 * the row does not name the caller.
 */
export function requireNamed(isNamed: boolean): void {
  const serving = servingNow();
  serving.mustBeNamed = false;
  if (!isNamed)
    throw new ApiError(
      'FORBIDDEN',
      `The caller does not have the permission ${serving.grant}, and the resource does not name the caller. Use an API key or account that has the permission`,
    );
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
