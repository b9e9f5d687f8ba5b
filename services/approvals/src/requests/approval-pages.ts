import { ApiError, notFound } from '@drawbridge/contracts';
import {
  type ApprovalPage,
  type ApprovalPageServiceDefinition,
  type EndUserApproval,
  type EndUserApprovals,
  type ListForEndUserRequest,
} from '@drawbridge/proto/drawbridge/approvals/v1/pages';
import { type Decision } from '@drawbridge/proto/drawbridge/approvals/v1/requests';
import { caller, type Implementation, requireInScope } from '@drawbridge/rpc';
import { type Pool } from 'pg';
import { type ApprovalRequest as Row, type PrismaClient as Db } from '../gen/prisma/client.js';
import { type LinkKeeper, type LinkNeeds, withLink } from './approval-links.js';
import { findRequest, fromApprovalId, toApproval, toApprovalId } from './approval-request.js';
import { decide, deciding, type Members, type Needs } from './decide.js';
import { expireDue } from './expiry.js';
import { summaryOf } from './summary.js';

type Parts = Needs & Pick<LinkNeeds, 'endUsers'>;

/** Implements the RPCs of the pages that display approval requests to signed-in users and to bearers of a link. */
export const approvalPages = (parts: Parts): Implementation<ApprovalPageServiceDefinition> => {
  const { db, pool, members } = parts;
  const byLink = (status: 'approved' | 'rejected', request: { id: string; token: string }): Promise<Decision> =>
    withLink(parts, request, async ({ type }) => {
      if (status === 'approved') requireShownInFull(await findRequest(db, fromApprovalId(request.id)));
      return decide(parts, status, { ...request, by: { type } });
    });
  return {
    async showToPerson({ id }) {
      await expireDue(pool, caller().orgId);
      const row = await findForPerson(db, fromApprovalId(id));
      const page = await toPage(parts, row, await deciding(members)(row));
      return { ...page, decidedByName: await nameOfDecider(members, row) };
    },
    listForEndUser: (request) => listForEndUser(parts, request),
    showByLink: (request) =>
      withLink(parts, request, async () => {
        await expireDue(pool, caller().orgId);
        const row = await findRequest(db, fromApprovalId(request.id));
        const page = { ...(await toPage(parts, row, true)), tooLargeForLink: !isShownInFull(row) };
        // After the decision, the link displays only the decision. The input and the account were meant for the approver, and others can have the
        // link.
        return row.status === 'pending' ? page : { ...page, summary: undefined, account: undefined };
      }),
    approveByLink: (request) => byLink('approved', request),
    rejectByLink: (request) => byLink('rejected', request),
  };
};

/**
 * Throws FORBIDDEN if the page cannot display the whole input. The bearer of a link has no other information, and would approve what they cannot
 * read.
 */
function requireShownInFull(row: Row): void {
  if (isShownInFull(row)) return;
  const message = `Approval ${toApprovalId(row.id)} cannot be shown in full, and a hosted link cannot approve it. Approve it in the dashboard or with the API, or reject it.`;
  throw new ApiError('FORBIDDEN', message, { details: { reason: 'not_shown_in_full' } });
}

/**
 * Returns an approval request for a signed-in user. Throws NOT_FOUND if it does not exist or is accessible only by its hosted link, and SCOPE_DENIED
 * if its workspace is outside the caller's scope.
 */
async function findForPerson(db: Db, id: string): Promise<Row> {
  const row = await findRequest(db, id);
  requireInScope(row.workspaceId);
  if (row.approvalAccessMode === 'hosted_link_only') throw notFound('Approval', toApprovalId(id));
  return row;
}

async function toPage({ links, requireWorkspace }: Parts, row: Row, isAllowed: boolean): Promise<ApprovalPage> {
  const { status, account, receiptExpiresAt, workspaceId } = row;
  const suspended = await isSuspended(() => requireWorkspace(workspaceId));
  return {
    approval: toApproval(links, row),
    mayDecide: isAllowed && status === 'pending' && !suspended,
    suspended,
    runsUntil: receiptExpiresAt?.toISOString(),
    account: account ?? undefined,
    summary: summaryOf(row),
    tooLargeForLink: false,
  };
}

async function isSuspended(requireWorkspace: () => Promise<unknown>): Promise<boolean> {
  try {
    await requireWorkspace();
    return false;
  } catch (error) {
    if (error instanceof ApiError && error.details.reason === 'suspended') return true;
    throw error;
  }
}

/** Returns the name of the user who decided the request. Returns undefined if no user decided it, or if the user is no longer a member. */
async function nameOfDecider(members: Members, { deciderType, deciderId }: Row): Promise<string | undefined> {
  if (deciderType !== 'user' || deciderId === null) return undefined;
  return (await members.batchGetRoles({ userIds: [deciderId] })).roles[0]?.name;
}

type Preview = Pick<Row, 'truncatedFields' | 'omittedFields'> & { inputPreview: unknown };

/** Returns true if an approver can read the whole input, except for its secrets. */
export function isShownInFull({ inputPreview, truncatedFields, omittedFields }: Preview): boolean {
  return truncatedFields.length === 0 && omittedFields === 0 && !isCutAsWhole(inputPreview);
}

/** Detects requests that an earlier version of this service stored. They contain the beginning of a long input in place of its fields. */
function isCutAsWhole(preview: unknown): boolean {
  const { truncated, preview: beginning } = (preview ?? {}) as Record<string, unknown>;
  return truncated === true && typeof beginning === 'string';
}

const SHOWN = 50;

const FIND = `
  SELECT id, integration_name AS "integrationName", action_name AS "actionName", expires_at AS "expiresAt",
    batch_tools <> '{}' AS "isBatchRun"
  FROM approvals.approval_requests
  WHERE org_id = $1 AND workspace_id = $2 AND end_user_id = $3 AND status = 'pending' AND expires_at > now()
    AND approval_access_mode <> 'dashboard_only' AND approvers::jsonb @> '[{"type": "end_user"}]'
    AND ($4::text IS NULL OR integration_name = $4)
  ORDER BY id DESC LIMIT ${SHOWN}`;

type Found = Omit<EndUserApproval, 'token' | 'expiresAt'> & { expiresAt: Date };

/** Returns the pending requests that the end user can decide, each with a token that authorizes the decision. */
async function listForEndUser(
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
