import {
  type EndUserApproval,
  type EndUserApprovals,
  type ListForEndUserRequest,
} from '@drawbridge/proto/drawbridge/approvals/v1/pages';
import { type Pool } from 'pg';
import { type LinkKeeper } from './links.js';
import { toApprovalId } from './request-ids.js';

const SHOWN = 50;

const FIND = `
  SELECT id, integration_name AS "integrationName", action_name AS "actionName", expires_at AS "expiresAt"
  FROM approvals.approval_requests
  WHERE org_id = $1 AND workspace_id = $2 AND end_user_id = $3 AND status = 'pending' AND expires_at > now()
    AND approval_access_mode <> 'dashboard_only' AND approvers::jsonb @> '[{"type": "end_user"}]'
    AND ($4::text IS NULL OR integration_name = $4)
  ORDER BY id DESC LIMIT ${SHOWN}`;

type Found = Omit<EndUserApproval, 'token' | 'expiresAt'> & { expiresAt: Date };

/** Returns the pending requests that name an end user as approver, each with a token to decide on the end user's behalf. */
export async function listForEndUser(
  { pool, links }: { pool: Pool; links: Pick<LinkKeeper, 'endUserTokenOf'> },
  { orgId, placeId, endUserId, integrationName, linkId }: ListForEndUserRequest,
): Promise<EndUserApprovals> {
  const values = [orgId, placeId, endUserId, integrationName ?? null];
  const { rows } = await pool.query<Found>({ name: 'find-approvals-of-end-user', text: FIND, values });
  const approvals = rows.map(({ id, expiresAt, ...row }) => ({
    ...row,
    id: toApprovalId(id),
    expiresAt: expiresAt.toISOString(),
    token: links.endUserTokenOf(id, linkId),
  }));
  return { approvals };
}
