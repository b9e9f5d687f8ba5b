import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';
import { ApiError } from '@drawbridge/contracts';
import { type EndUserServiceDefinition } from '@drawbridge/proto/drawbridge/connections/v1/end_users';
import { type Caller, type Client, runAs } from '@drawbridge/rpc';
import { type Pool } from 'pg';
import { type ApprovalRequest as Row } from '../gen/prisma/client.js';
import { fromApprovalId, toApprovalId } from './approval-request.js';

const TOKEN_PREFIX = 'apr_link_';
/** Matches the end of an end user's token: the id of the portal link that the end user opened. */
const LINK_ID = /\.([0-9a-f-]{36})$/;

/** The bearer of a token: either anyone with the hosted link, or the request's end user, who signed in with the portal link `linkId`. */
type Bearer = { type: 'hosted_link' } | { type: 'end_user'; linkId: string };

/** The pages on which an approval request can be decided, as paths of the gateway. */
export interface Links {
  /** The page that requires a sign-in. Undefined if the policy allows decisions only by the hosted link. */
  approvalUrl?: string;
  /** The page that the token alone authorizes. Undefined if the policy does not allow it. */
  hostedApprovalUrl?: string;
}

export type LinkKeeper = ReturnType<typeof linkKeeper>;

/**
 * Creates and verifies links to approval requests. Later responses must contain the same hosted link, so its token is not random. It is derived from
 * the id of the request and a key that is not in the database, so that read access to the tables is not enough to create a link.
 */
export function linkKeeper(internalKey: string) {
  const key = Buffer.from(hkdfSync('sha256', internalKey, '', 'approval links', 32));
  const tokenOf = (signed: string): string =>
    TOKEN_PREFIX + createHmac('sha256', key).update(signed).digest('base64url');
  /** Returns the token with which an end user's portal page decides the request. */
  const endUserTokenOf = (id: string, linkId: string): string => `${tokenOf(`end_user ${linkId} ${id}`)}.${linkId}`;
  return {
    linksTo({ id, approvalAccessMode: mode }: Pick<Row, 'id' | 'approvalAccessMode'>): Links {
      const path = `/approvals/${toApprovalId(id)}`;
      return {
        approvalUrl: mode === 'hosted_link_only' ? undefined : path,
        hostedApprovalUrl: mode === 'dashboard_only' ? undefined : `${path}?token=${tokenOf(id)}`,
      };
    },
    endUserTokenOf,
    /** Verifies a token for this request in constant time. Returns its bearer, or undefined if it is invalid. */
    bearerOf(id: string, token: string): Bearer | undefined {
      const linkId = LINK_ID.exec(token)?.[1];
      const wanted = linkId === undefined ? tokenOf(id) : endUserTokenOf(id, linkId);
      if (!timingSafeEqual(digestOf(token), digestOf(wanted))) return undefined;
      return linkId === undefined ? { type: 'hosted_link' } : { type: 'end_user', linkId };
    },
  };
}

/** Returns a digest of fixed length, because timingSafeEqual accepts only buffers of equal length. */
function digestOf(text: string): Buffer {
  return createHmac('sha256', 'compared').update(text).digest();
}

export interface LinkNeeds {
  pool: Pool;
  links: Pick<LinkKeeper, 'bearerOf'>;
  endUsers: Pick<Client<EndUserServiceDefinition>, 'checkPortalLink'>;
}

/**
 * Selects the organization and workspace of a request by its id. The bearer of a link does not belong to an organization, so the request determines
 * it.
 */
const FIND = `
  SELECT org_id AS "orgId", workspace_id AS "workspaceId", end_user_id AS "endUserId" FROM approvals.approval_requests
  WHERE id = $1 AND approval_access_mode <> 'dashboard_only'`;

/**
 * Runs `work` as an anonymous caller in the organization of the linked request. Rejects a wrong token before any query, so that the response time
 * does not reveal whether the request exists. An end user's token is valid only as long as the portal link, which ends when the link is revoked or
 * the end user is deleted. Throws INVALID_TOKEN; the error does not contain the token.
 */
export async function withLink<T>(
  { pool, links, endUsers }: LinkNeeds,
  { id: shown, token }: { id: string; token: string },
  work: (bearer: Bearer) => Promise<T>,
): Promise<T> {
  const id = fromLinkedId(shown);
  const bearer = links.bearerOf(id, token);
  if (!bearer) throw noLink();
  const { rows } = await pool.query<Place>({ name: 'find-linked-approval', text: FIND, values: [id] });
  const [place] = rows;
  if (!place) throw noLink();
  if (bearer.type === 'end_user' && !(await isStillTheirs(endUsers, place, bearer.linkId))) throw noLink();
  return runAs({ caller: nobodyIn(place) }, () => work(bearer));
}

type Place = Pick<Row, 'orgId' | 'workspaceId' | 'endUserId'>;

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
  new ApiError('INVALID_TOKEN', 'The link is unknown, or its approval request no longer exists. Ask for a new link', {
    cause,
  });

function nobodyIn({ orgId, workspaceId }: Place): Caller {
  const permissions = { scope: 'workspace', workspaceIds: [workspaceId], grants: [] };
  return { orgId, userId: '', permissions, source: 'rest' };
}
