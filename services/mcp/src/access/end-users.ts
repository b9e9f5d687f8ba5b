import { ApiError } from '@drawbridge/contracts';
import { EndUserServiceDefinition } from '@drawbridge/proto/drawbridge/connections/v1/end_users';
import { type McpBearer } from '@drawbridge/proto/drawbridge/mcp/v1/access';
import { memoize, type Network } from '@drawbridge/rpc';
import { type FoundAccess } from './token-access.js';

export interface EndUser {
  endUserId: string;
  endUserRecordId: string;
}

type Place = Pick<FoundAccess, 'orgId' | 'workspaceId'>;

/** Returns the end user of a workspace with this externalId or id. Throws END_USER_NOT_FOUND. */
type FindEndUser = (place: Place, name: string) => Promise<EndUser>;

export function endUsers(network: Network): FindEndUser {
  const connections = network.client('connections', EndUserServiceDefinition);
  return async ({ orgId, workspaceId: placeId }, name) => {
    const { id, externalId } = await connections.getNamedEndUser({ orgId, placeId, name });
    if (id !== undefined && externalId !== undefined) return { endUserId: externalId, endUserRecordId: id };
    throw new ApiError('END_USER_NOT_FOUND', `End user ${name} not found in workspace ${placeId}`);
  };
}

/** The tokens of a deleted end user are refused within a second, and deleted soon after. */
const REMEMBER_MS = 900;
const GONE = '';

/** Returns whether the end user of a token still exists, and is not another one with the same externalId. */
export type IsThere = (place: Place, bearer: Pick<McpBearer, 'endUserId' | 'endUserRecordId'>) => Promise<boolean>;

export function isThere(findEndUser: FindEndUser): IsThere {
  const recordOf = memoize({ ttlMs: REMEMBER_MS }, async (_key, place: Place, name: string) =>
    findEndUser(place, name).then(({ endUserRecordId }) => endUserRecordId, unlessGone),
  );
  return async (place, { endUserId, endUserRecordId }) => {
    if (endUserId === undefined) return true;
    const { orgId, workspaceId } = place;
    return (await recordOf([orgId, workspaceId, endUserId].join(' '), place, endUserId)) === endUserRecordId;
  };
}

function unlessGone(error: unknown): string {
  if (error instanceof ApiError && error.code === 'END_USER_NOT_FOUND') return GONE;
  throw error;
}
