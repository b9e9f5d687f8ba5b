import { ApiError } from '@drawbridge/contracts';
import { type McpBearer } from '@drawbridge/proto/drawbridge/mcp/v1/access';
import { memoize } from '@drawbridge/rpc';
import { type FindEndUser } from '../tokens/find-end-user.js';
import { type FoundAccess } from './find-access.js';

/** Of a person who is deleted nothing works within a second; their tokens go soon after. */
const REMEMBER_MS = 900;
const GONE = '';

type Place = Pick<FoundAccess, 'orgId' | 'workspaceId'>;

/** Whether the person whom a token stands for is there: the same one, not another of the same externalId. */
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
