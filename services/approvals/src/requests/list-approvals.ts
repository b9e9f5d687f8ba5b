import { fromIdCursor, toIdPage } from '@drawbridge/database';
import { type ListApprovalsRequest } from '@drawbridge/proto/drawbridge/approvals/v1/requests';
import { PageDefaults } from '@drawbridge/proto/drawbridge/fields/v1/fields';
import { caller, workspacesInScope } from '@drawbridge/rpc';
import { type ApprovalRequest as Row, type PrismaClient as Db } from '../gen/prisma/client.js';

/** What of a filtered list is counted: it is read for that. */
const COUNTED = 1_000;

interface Page {
  page: Row[];
  total: number;
  nextCursor: string | undefined;
}

/** Ids are UUIDv7: their order is the order in which requests were opened, and a cursor is one of them. */
export async function pageOfApprovals(db: Db, request: ListApprovalsRequest): Promise<Page> {
  const { limit = PageDefaults.limit, cursor, workspaceId, ...filters } = request;
  const own = workspacesInScope();
  const where = { ...filters, orgId: caller().orgId, workspaceId: workspaceId ?? (own && { in: own }) };
  const id = cursor === undefined ? undefined : { lt: fromIdCursor(cursor) };
  const [rows, total] = await Promise.all([
    db.approvalRequest.findMany({ where: { ...where, id }, take: limit + 1, orderBy: { id: 'desc' } }),
    db.approvalRequest.count({ where, take: COUNTED, orderBy: { id: 'desc' } }),
  ]);
  return { ...toIdPage(rows, limit), total };
}
