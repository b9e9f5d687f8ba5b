import { invalid, metadataProblem, newId } from '@drawbridge/contracts';
import { actorOf, type Outbox } from '@drawbridge/events';
import { type Decider } from '@drawbridge/proto/drawbridge/approvals/v1/decider';
import { type ApprovalApprover } from '@drawbridge/proto/drawbridge/approvals/v1/policy';
import { type Decision, type DecisionNote, type Receipt } from '@drawbridge/proto/drawbridge/approvals/v1/requests';
import { type MemberServiceDefinition } from '@drawbridge/proto/drawbridge/members/v1/members';
import { caller, type Client, isGranted, nothingToRecord, requireInScope, requireNamed } from '@drawbridge/rpc';
import { type Pool } from 'pg';
import { type ApprovalRequest as Row, type PrismaClient as Db } from '../gen/prisma/client.js';
import { type LinkKeeper } from './approval-links.js';
import { changed, type Fact, findRequest, fromApprovalId, toApproval, toApprovalId } from './approval-request.js';
import { expireDue } from './expiry.js';

export interface Needs {
  db: Db;
  pool: Pool;
  outbox: Outbox;
  links: LinkKeeper;
  members: Members;
  /** Throws NOT_FOUND for a workspace that does not belong to the caller, SCOPE_DENIED, and FORBIDDEN for a suspended workspace. */
  requireWorkspace(workspaceId: string): Promise<unknown>;
}

const FACTS = {
  approved: 'approvalApproved',
  rejected: 'approvalRejected',
  canceled: 'approvalCanceled',
} as const satisfies Record<string, Fact>;

/**
 * Decides an approval request with one conditional UPDATE, so that only one decision succeeds. The receipt, which permits the call to run, is valid
 * for as long as the request was open. `by` is an approver who is already authorized. Throws NOT_FOUND, SCOPE_DENIED, FORBIDDEN (also in a suspended
 * workspace) and VALIDATION_ERROR.
 */
export async function decide(
  needs: Needs,
  status: keyof typeof FACTS,
  { id: shown, note = {}, by: known }: { id: string; note?: DecisionNote; by?: Decider },
): Promise<Decision> {
  const { db, pool, outbox, links, members } = needs;
  const [id, { orgId }] = [fromApprovalId(shown), caller()];
  const asked = await findRequest(db, id);
  const by = known ?? (await requireDecider(members, asked));
  await needs.requireWorkspace(asked.workspaceId);
  requireSane(note);
  const receiptId = status === 'approved' ? newId() : null;
  const metadata = note.metadata ? JSON.stringify(note.metadata) : null;
  const isNew = await db.$transaction(async (tx) => {
    const count = await tx.$executeRaw`
      UPDATE approvals.approval_requests SET status = ${status}, decided_at = now(), decider_type = ${by.type},
        decider_id = ${by.id ?? null}::uuid, decision_reason = ${note.reason ?? null}, decision_metadata = ${metadata}::json,
        receipt_id = ${receiptId}::uuid, updated_at = now(), receipt_expires_at =
          CASE WHEN ${receiptId}::uuid IS NOT NULL THEN now() + timeout_seconds * interval '1 second' END
      WHERE org_id = ${orgId}::uuid AND id = ${id}::uuid AND status = 'pending' AND expires_at > now()`;
    if (count === 0) return false;
    await outbox.add(tx, changed(FACTS[status], asked, by), orgId);
    const { workspaceId } = asked;
    await outbox.record(tx, { id, name: toApprovalId(id), workspaceId, reason: told(by, note, asked) });
    return true;
  });
  if (!isNew) {
    nothingToRecord();
    await expireDue(pool, orgId);
  }
  outbox.wake();
  const row = await findRequest(db, id);
  return { approval: toApproval(links, row), receipt: isNew ? toReceipt(row) : undefined, wasDecided: !isNew };
}

/** Returns the reason for the audit log. A decision by link has no actor in the audit log, so the reason states how the request was decided. */
function told({ type }: Decider, { reason }: DecisionNote, { endUserId }: Row): string | undefined {
  if (type !== 'hosted_link' && type !== 'end_user') return reason;
  const how = type === 'end_user' ? `by end user ${endUserId}` : 'by its hosted link';
  return reason === undefined ? how : `${how}: ${reason}`;
}

function requireSane({ metadata }: DecisionNote): void {
  const problem = metadata && metadataProblem(metadata);
  if (problem) throw invalid({ metadata: problem });
}

function toReceipt({ receiptId: id, receiptExpiresAt }: Row): Receipt | undefined {
  return id === null || receiptExpiresAt === null ? undefined : { id, expiresAt: receiptExpiresAt.toISOString() };
}

export type Members = Pick<Client<MemberServiceDefinition>, 'batchGetRoles'>;

/** Returns the caller as the approver who decides. Throws SCOPE_DENIED and FORBIDDEN. */
async function requireDecider(members: Members, row: Row): Promise<Decider> {
  requireInScope(row.workspaceId);
  requireNamed(await deciding(members)(row));
  const { actorType, actorId } = actorOf(caller());
  return { type: actorType, id: actorId };
}

/**
 * Returns a function that checks whether the caller can decide an approval request. The caller needs the permission `approvals.decide`, or must be an
 * approver that the policy named when the request was created.
 */
export function deciding(members: Members): (request: Pick<Row, 'approvers'>) => Promise<boolean> {
  const { permissions, sessionId, userId: id } = caller();
  let role: Promise<string | undefined> | undefined;
  return async (request) => {
    if (isGranted('approvals.decide', permissions)) return true;
    // An API key has only its own permissions. It does not decide on behalf of the user who created it.
    if (sessionId === undefined) return false;
    const approvers = request.approvers as unknown as ApprovalApprover[];
    // The role is requested once and reused for all requests of a list.
    if (rolesNamed(approvers).length > 0) role ??= roleOf(members, id);
    return isNamed(approvers, { id, role: await role });
  };
}

async function roleOf(members: Members, id: string): Promise<string | undefined> {
  return (await members.batchGetRoles({ userIds: [id] })).roles[0]?.role;
}

type Named = Pick<ApprovalApprover, 'roles' | 'userIds'>;

/** Returns true if the approvers of a policy include the user or the user's role in the organization. */
export function isNamed(approvers: readonly Named[], user: { id: string; role?: string }): boolean {
  return (
    approvers.some(({ userIds = [] }) => userIds.some((id) => id.toLowerCase() === user.id)) ||
    (user.role !== undefined && rolesNamed(approvers).includes(user.role))
  );
}

function rolesNamed(approvers: readonly Named[]): string[] {
  return approvers.flatMap(({ roles = [] }) => roles);
}
