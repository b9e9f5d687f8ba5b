import { ApiError } from '@drawbridge/contracts';
import { type EndUserServiceDefinition } from '@drawbridge/proto/drawbridge/connections/v1/end_users';
import { type Caller, type Client, runAs } from '@drawbridge/rpc';
import { type Pool } from 'pg';
import { type Bearer, type LinkKeeper } from './links.js';
import { fromApprovalId } from './request-ids.js';

export interface LinkNeeds {
  pool: Pool;
  links: Pick<LinkKeeper, 'bearerOf'>;
  endUsers: Pick<Client<EndUserServiceDefinition>, 'checkPortalLink'>;
}

/** The bearer of a link has no organization. It comes from the request. */
const FIND = `
  SELECT org_id AS "orgId", workspace_id AS "workspaceId", end_user_id AS "endUserId" FROM approvals.approval_requests
  WHERE id = $1 AND approval_access_mode <> 'dashboard_only'`;

/**
 * Runs the work as an anonymous caller in the organization of a hosted link's request. A wrong token is rejected before any query, so it
 * takes the same time whether the request exists or not. An end user's token is valid only while the portal link works: not after the link
 * is revoked or the end user is deleted. Throws INVALID_TOKEN, without the token.
 */
export async function withLink<T>(
  { pool, links, endUsers }: LinkNeeds,
  { id: shown, token }: { id: string; token: string },
  work: (bearer: Bearer) => Promise<T>,
): Promise<T> {
  const id = fromLinkedId(shown);
  const bearer = links.bearerOf(id, token);
  if (!bearer) throw noLink();
  const values = [id];
  const { rows } = await pool.query<Place>({ name: 'find-linked-approval', text: FIND, values });
  const [place] = rows;
  if (!place) throw noLink();
  if (bearer.type === 'end_user' && !(await isStillTheirs(endUsers, place, bearer.linkId))) throw noLink();
  return runAs({ caller: nobodyIn(place) }, () => work(bearer));
}

interface Place {
  orgId: string;
  workspaceId: string;
  endUserId: string | null;
}

async function isStillTheirs(endUsers: LinkNeeds['endUsers'], place: Place, linkId: string): Promise<boolean> {
  const { orgId, workspaceId: placeId, endUserId: externalId } = place;
  return externalId !== null && (await endUsers.checkPortalLink({ orgId, placeId, externalId, linkId })).works;
}

function fromLinkedId(shown: string): string {
  try {
    return fromApprovalId(shown);
  } catch (cause) {
    throw noLink(cause);
  }
}

const noLink = (cause?: unknown): ApiError =>
  new ApiError('INVALID_TOKEN', 'The link is unknown, or its request is gone', { cause });

function nobodyIn({ orgId, workspaceId }: Place): Caller {
  const permissions = { scope: 'workspace', workspaceIds: [workspaceId], grants: [] };
  return { orgId, userId: '', permissions, source: 'rest' };
}
