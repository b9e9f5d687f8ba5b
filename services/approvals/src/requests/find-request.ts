import { notFound } from '@drawbridge/contracts';
import { caller } from '@drawbridge/rpc';
import { type ApprovalRequest as Row, type Prisma } from '../gen/prisma/client.js';
import { toApprovalId } from './request-ids.js';

/** Returns a request of the caller's organization. Throws NOT_FOUND. */
export async function findRequest(db: Pick<Prisma.TransactionClient, 'approvalRequest'>, id: string): Promise<Row> {
  const row = await db.approvalRequest.findFirst({ where: { id, orgId: caller().orgId } });
  if (!row) throw notFound('Approval', toApprovalId(id));
  return row;
}
