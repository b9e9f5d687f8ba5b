import { isId, notFound } from '@drawbridge/contracts';
import { toWire } from '@drawbridge/database';
import { type EventPayload } from '@drawbridge/events';
import { type Decider } from '@drawbridge/proto/drawbridge/approvals/v1/decider';
import { type ApprovalChanged } from '@drawbridge/proto/drawbridge/approvals/v1/events';
import { type Approval } from '@drawbridge/proto/drawbridge/approvals/v1/requests';
import { caller } from '@drawbridge/rpc';
import { type ApprovalRequest as Row, type Prisma } from '../gen/prisma/client.js';
import { type LinkKeeper } from './approval-links.js';

const PREFIX = 'apr_';

/** Converts a stored id to its public form. */
export function toApprovalId(id: string): string {
  return PREFIX + id;
}

/** Converts a public id to its stored form. Throws NOT_FOUND for an invalid id. */
export function fromApprovalId(shown: string): string {
  const id = shown.slice(PREFIX.length);
  if (shown.startsWith(PREFIX) && isId(id)) return id.toLowerCase();
  throw notFound('Approval', shown);
}

/** Returns an approval request of the caller's organization. Throws NOT_FOUND. */
export async function findRequest(db: Pick<Prisma.TransactionClient, 'approvalRequest'>, id: string): Promise<Row> {
  const row = await db.approvalRequest.findFirst({ where: { id, orgId: caller().orgId } });
  if (!row) throw notFound('Approval', toApprovalId(id));
  return row;
}

/** Returns true if an approval request can still be decided, by the clock of the database. */
export async function isPending(
  db: Pick<Prisma.TransactionClient, '$queryRaw'>,
  { id, orgId }: { id: string; orgId: string },
): Promise<boolean> {
  const rows = await db.$queryRaw<object[]>`
    SELECT id FROM approvals.approval_requests
    WHERE org_id = ${orgId}::uuid AND id = ${id}::uuid AND status = 'pending' AND expires_at > now()`;
  return rows.length > 0;
}

export type CodeRunType = 'mcp_code_batch_run' | 'mcp_code_call';

/** Returns whether a request of Code Mode covers the predicted calls of a run or one call. Returns undefined for other requests. */
export function codeRunTypeOf({
  codeRunId,
  batchTools,
}: Pick<Row, 'codeRunId' | 'batchTools'>): CodeRunType | undefined {
  if (codeRunId === null) return undefined;
  return batchTools.length > 0 ? 'mcp_code_batch_run' : 'mcp_code_call';
}

/** Converts an approval request to its public fields, including its links. */
export function toApproval({ linksTo }: Pick<LinkKeeper, 'linksTo'>, row: Row): Approval {
  return {
    ...toWire(row),
    ...linksTo(row),
    id: toApprovalId(row.id),
    inputPreview: row.inputPreview as Approval['inputPreview'],
    codeRunType: codeRunTypeOf(row),
    decidedBy: row.deciderType === null ? undefined : { type: row.deciderType, id: row.deciderId ?? undefined },
  };
}

/** The types of the events of an approval request: created, approved, rejected, canceled or expired. */
export type Fact = Extract<EventPayload, { value: ApprovalChanged }>['$case'];

export type Told = Pick<Row, 'id' | 'orgId' | 'policyId' | 'workspaceId' | 'source' | 'integrationName' | 'actionName'>;

export function changed($case: Fact, request: Told, by?: Decider): EventPayload {
  const { id, policyId, workspaceId, source, integrationName, actionName } = request;
  const facts = { policyId, workspaceId, source, integrationName, actionName };
  return { $case, value: { approvalId: toApprovalId(id), ...facts, actorType: by?.type, actorId: by?.id } };
}
