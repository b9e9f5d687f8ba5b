import { ApiError, notFound } from '@drawbridge/contracts';
import { type ApprovalPage, type ApprovalPageServiceDefinition } from '@drawbridge/proto/drawbridge/approvals/v1/pages';
import { type Decision } from '@drawbridge/proto/drawbridge/approvals/v1/requests';
import { caller, type Implementation, requireInScope } from '@drawbridge/rpc';
import { type ApprovalRequest as Row, type PrismaClient as Db } from '../gen/prisma/client.js';
import { decide, type Needs } from './decide.js';
import { expireDue } from './expiry.js';
import { findRequest } from './find-request.js';
import { isShownInFull } from './is-shown-in-full.js';
import { type LinkKeeper } from './links.js';
import { listForEndUser } from './list-for-end-user.js';
import { fromApprovalId, toApprovalId } from './request-ids.js';
import { deciding, type Members } from './require-decider.js';
import { toApproval } from './to-approval.js';
import { toDecision } from './to-decision.js';
import { withLink, type LinkNeeds } from './with-link.js';

interface Parts extends Needs, Pick<LinkNeeds, 'endUsers'> {
  links: LinkKeeper;
}

interface Linked {
  id: string;
  token: string;
}

/** The requests on pages: for users who are signed in, and by link. */
export const approvalPages = (parts: Parts): Implementation<ApprovalPageServiceDefinition> => {
  const { db, pool, links, members } = parts;
  const byLink = (status: 'approved' | 'rejected', request: Linked): Promise<Decision> =>
    withLink(parts, request, async ({ type }) => {
      if (status === 'approved') requireShownInFull(await findRequest(db, fromApprovalId(request.id)));
      return toDecision(links, await decide(parts, status, { ...request, by: { type } }));
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
        return { ...(await toPage(parts, row, true)), tooLargeForLink: !isShownInFull(row) };
      }),
    approveByLink: (request) => byLink('approved', request),
    rejectByLink: (request) => byLink('rejected', request),
  };
};

/** Throws FORBIDDEN if the page does not show the whole input: the bearer of a link has nothing else to decide by. */
function requireShownInFull(row: Row): void {
  if (isShownInFull(row)) return;
  const message = `Approval ${toApprovalId(row.id)} cannot be shown in full, and a hosted link cannot approve it. Approve it in the dashboard or with the API, or reject it.`;
  throw new ApiError('FORBIDDEN', message, { details: { reason: 'not_shown_in_full' } });
}

/** Throws NOT_FOUND, also for a request that only its hosted link may open, and SCOPE_DENIED. */
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

/** Returns the name of the user that decided; undefined for a former member. */
async function nameOfDecider(members: Members, { deciderType, deciderId }: Row): Promise<string | undefined> {
  if (deciderType !== 'user' || deciderId === null) return undefined;
  return (await members.batchGetRoles({ userIds: [deciderId] })).roles[0]?.name;
}
