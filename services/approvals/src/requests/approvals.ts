import { type Condition, countScanned, fromIdCursor, scanPage } from '@drawbridge/database';
import { type Enqueue } from '@drawbridge/jobs';
import {
  type Approval,
  type ApprovalServiceDefinition,
  type ListApprovalsRequest,
} from '@drawbridge/proto/drawbridge/approvals/v1/requests';
import { PageDefaults } from '@drawbridge/proto/drawbridge/fields/v1/fields';
import { caller, type Implementation, isGranted, requireInScope, workspacesInScope } from '@drawbridge/rpc';
import { type Pool } from 'pg';
import { type ApprovalRequest as Row, type PrismaClient as Db } from '../gen/prisma/client.js';
import { deliveriesOf, redeliver } from '../webhooks/request-deliveries.js';
import { type LinkKeeper } from './approval-links.js';
import { findRequest, fromApprovalId, toApproval } from './approval-request.js';
import { decide, deciding, type Members, type Needs } from './decide.js';
import { expireDue } from './expiry.js';

interface Parts extends Needs {
  enqueue: Enqueue;
}

/** Implements the RPCs for approval requests that the API and the dashboard use. */
export const approvalRequests = (parts: Parts): Implementation<ApprovalServiceDefinition> => {
  const { db, pool, requireWorkspace } = parts;
  return {
    async listApprovals(request) {
      if (request.workspaceId !== undefined) await requireWorkspace(request.workspaceId);
      await expireDue(pool, caller().orgId);
      const { page, ...beside } = await pageOfApprovals(parts, request);
      return { approvals: await Promise.all(page.map(seenByCaller(parts))), ...beside };
    },

    async getApproval({ id }) {
      await expireDue(pool, caller().orgId);
      const row = await findRequest(db, fromApprovalId(id));
      requireInScope(row.workspaceId);
      return { approval: await seenByCaller(parts)(row), webhookDeliveries: await deliveriesOf(db, row) };
    },

    approveApproval: (request) => decide(parts, 'approved', request),
    rejectApproval: (request) => decide(parts, 'rejected', request),
    cancelApproval: (request) => decide(parts, 'canceled', request),

    redeliverWebhook: (request) => redeliver(parts, request),
  };
};

/**
 * Returns a function that converts an approval request to the fields that the caller may see. A hosted link authorizes its holder to decide. It is
 * returned only to approvers and to API keys that can execute actions, which already receive it in the 202 response of their call. See
 * docs/decisions/0020.
 */
function seenByCaller(parts: { links: LinkKeeper; members: Members }): (row: Row) => Promise<Approval> {
  const { keyId, permissions } = caller();
  const isExecuting = keyId !== undefined && isGranted('actions.execute', permissions);
  const mayDecide = deciding(parts.members);
  return async (row) => {
    const approval = toApproval(parts.links, row);
    return isExecuting || (await mayDecide(row)) ? approval : { ...approval, hostedApprovalUrl: undefined };
  };
}

const TABLE = 'approvals.approval_requests';
/** The filter columns, most selective first. Each has an index that ends with the id, so that a page is read in order of creation. */
const COLUMNS = { actionName: 'action_name', integrationName: 'integration_name', source: 'source' } as const;

/**
 * Returns a page of approval requests. Ids are UUIDv7 and sort by creation, so a cursor is an id. `total` counts up to 1,000. For filters that no
 * single index covers, it counts only matches among the newest 1,000 requests.
 */
async function pageOfApprovals({ db, pool }: { db: Db; pool: Pool }, request: ListApprovalsRequest) {
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

/**
 * Splits the filters into those that an index covers and those that are checked on each row. Workspace and status share an index, because the
 * dashboard filters by both.
 */
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
