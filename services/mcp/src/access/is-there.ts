import { ApiError } from '@drawbridge/contracts';
import { type McpBearer } from '@drawbridge/proto/drawbridge/mcp/v1/access';
import { memoize } from '@drawbridge/rpc';
import { type FindEndUser } from '../tokens/find-end-user.js';
import { type FoundAccess } from './find-access.js';

/** The tokens of a deleted end user are refused within a second, and deleted soon after. */
const REMEMBER_MS = 900;
const GONE = '';

type Place = Pick<FoundAccess, 'orgId' | 'workspaceId'>;

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
