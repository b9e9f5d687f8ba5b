import { invalid, metadataProblem, newId } from '@drawbridge/contracts';
import { type Outbox } from '@drawbridge/events';
import { type Decider } from '@drawbridge/proto/drawbridge/approvals/v1/decider';
import { type DecisionNote } from '@drawbridge/proto/drawbridge/approvals/v1/requests';
import { caller, nothingToRecord } from '@drawbridge/rpc';
import { type Pool } from 'pg';
import { type ApprovalRequest as Row, type PrismaClient as Db } from '../gen/prisma/client.js';
import { changed, type Fact } from './events.js';
import { expireDue } from './expiry.js';
import { findRequest } from './find-request.js';
import { fromApprovalId, toApprovalId } from './request-ids.js';
import { type Members, requireDecider } from './require-decider.js';

export interface Needs {
  db: Db;
  pool: Pool;
  outbox: Outbox;
  members: Members;
  /** Throws NOT_FOUND for a workspace that is not the caller's, SCOPE_DENIED, and FORBIDDEN for a suspended one. */
  requireWorkspace(workspaceId: string): Promise<unknown>;
}

const FACTS = {
  approved: 'approvalApproved',
  rejected: 'approvalRejected',
  canceled: 'approvalCanceled',
} as const satisfies Record<string, Fact>;

export interface Decided {
  row: Row;
  /** Whether this call decided it; false if it was decided before. */
  isNew: boolean;
}

/**
 * Decides a request with one conditional UPDATE, so that one decision wins. The receipt of an approval is valid for as long as the request
 * was open. `by`: a decider that is already authorized. Throws as `requireDecider`, FORBIDDEN in a suspended workspace, and VALIDATION_ERROR.
 */
export async function decide(
  needs: Needs,
  status: keyof typeof FACTS,
  { id: shown, note = {}, by: known }: { id: string; note?: DecisionNote; by?: Decider },
): Promise<Decided> {
  const { db, pool, outbox } = needs;
  const [id, { orgId }] = [fromApprovalId(shown), caller()];
  const by = known ?? (await requireDecider(needs, id));
  await needs.requireWorkspace((await findRequest(db, id)).workspaceId);
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
    const row = await findRequest(tx, id);
    await outbox.add(tx, changed(FACTS[status], row, by), orgId);
    const { workspaceId } = row;
    await outbox.record(tx, { id, name: toApprovalId(id), workspaceId, reason: told(by, note, row) });
    return true;
  });
  if (!isNew) {
    nothingToRecord();
    await expireDue(pool, orgId);
  }
  outbox.wake();
  return { row: await findRequest(db, id), isNew };
}

/** Returns the reason for the audit log. It has no actor for a decision by link, so the reason says how it was decided. */
function told({ type }: Decider, { reason }: DecisionNote, { endUserId }: Row): string | undefined {
  if (type !== 'hosted_link' && type !== 'end_user') return reason;
  const how = type === 'end_user' ? `by end user ${endUserId}` : 'by its hosted link';
  return reason === undefined ? how : `${how}: ${reason}`;
}

function requireSane({ metadata }: DecisionNote): void {
  const problem = metadata && metadataProblem(metadata);
  if (problem) throw invalid({ metadata: problem });
}
