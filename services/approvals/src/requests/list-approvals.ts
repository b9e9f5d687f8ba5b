import { type Condition, countScanned, fromIdCursor, scanPage } from '@drawbridge/database';
import { type ListApprovalsRequest } from '@drawbridge/proto/drawbridge/approvals/v1/requests';
import { PageDefaults } from '@drawbridge/proto/drawbridge/fields/v1/fields';
import { caller, workspacesInScope } from '@drawbridge/rpc';
import { type Pool } from 'pg';
import { type ApprovalRequest as Row, type PrismaClient as Db } from '../gen/prisma/client.js';

const TABLE = 'approvals.approval_requests';
/** Each column has an index that continues with the id. The first ones are the most selective. */
const COLUMNS = { actionName: 'action_name', integrationName: 'integration_name', source: 'source' } as const;

interface Page {
  page: Row[];
  total: number;
  nextCursor: string | undefined;
}

/**
 * Ids are UUIDv7, so their order is the order in which requests were opened, and a cursor is an id. `total` counts up to 1,000. For filters
 * that no single index covers it counts only matches among the newest 1,000.
 */
export async function pageOfApprovals(
  { db, pool }: { db: Db; pool: Pool },
  request: ListApprovalsRequest,
): Promise<Page> {
  const { limit = PageDefaults.limit, cursor } = request;
  const { orgId } = caller();
  const scan = { table: TABLE, ...conditionsOf(orgId, request) };
  const after = cursor === undefined ? undefined : fromIdCursor(cursor);
  const [{ page, nextCursor }, total] = await Promise.all([
    scanPage<{ id: string }>(pool, { ...scan, columns: 'id', after, limit }),
    countScanned(pool, scan),
  ]);
  const where = { orgId, id: { in: page.map(({ id }) => id) } };
  return { page: await db.approvalRequest.findMany({ where, orderBy: { id: 'desc' } }), total, nextCursor };
}

/** Workspace and status share an index: a dashboard filters by both. */
function conditionsOf(
  orgId: string,
  { workspaceId, status, ...request }: ListApprovalsRequest,
): { indexed: Condition[]; filters: Condition[] } {
  const organization: Condition = ['org_id = ?::uuid', orgId];
  const own = workspaceId === undefined ? workspacesInScope() : [workspaceId];
  const inPlace: Condition[] = own?.length === 1 ? [['workspace_id = ?::uuid', own[0]]] : [];
  const inPlaces: Condition[] = own && own.length !== 1 ? [['workspace_id = ANY (?::uuid[])', own]] : [];
  const inStatus: Condition[] = status === undefined ? [] : [['status = ?', status]];
  const given = Object.entries(COLUMNS).flatMap(([key, column]): Condition[] => {
    const value = request[key as keyof typeof COLUMNS];
    return value === undefined ? [] : [[`${column} = ?`, value]];
  });
  const nearest = [...inPlace, ...inStatus];
  const indexed = nearest.length > 0 ? nearest : given.slice(0, 1);
  const filters = nearest.length > 0 ? given : given.slice(1);
  return { indexed: [organization, ...indexed], filters: [...inPlaces, ...filters] };
}
