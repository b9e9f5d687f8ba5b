import { notFound } from '@drawbridge/contracts';
import { fromIdCursor, toIdPage, toWire } from '@drawbridge/database';
import { type Execution, type ExecutionServiceDefinition } from '@drawbridge/proto/drawbridge/execution/v1/executions';
import { PageDefaults } from '@drawbridge/proto/drawbridge/fields/v1/fields';
import { caller, type Implementation, requireInScope, workspacesInScope } from '@drawbridge/rpc';
import { fromLogged } from './record.js';
import { type Execution as Row, type PrismaClient as Db } from '../gen/prisma/client.js';

/** Reads each workspace from its own index: an index by organization may scan all runs of other workspaces first. */
const OF_WORKSPACES = `
  SELECT found.id FROM unnest($1::uuid[]) AS workspace CROSS JOIN LATERAL (
    SELECT id FROM execution.executions
    WHERE workspace_id = workspace AND org_id = $2::uuid AND id < $3::uuid ORDER BY id DESC LIMIT $4) AS found
  ORDER BY found.id DESC LIMIT $4`;
/** Sorts after every id. */
const MAX_ID = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

export const executions = (
  db: Db,
  requireWorkspace: (workspaceId: string) => Promise<unknown>,
): Implementation<ExecutionServiceDefinition> => ({
  // Ids are UUIDv7, so their order is the order in which runs started.
  async listExecutions({ workspaceId, limit = PageDefaults.limit, cursor }) {
    if (workspaceId !== undefined) await requireWorkspace(workspaceId);
    const { orgId } = caller();
    const before = cursor === undefined ? MAX_ID : fromIdCursor(cursor);
    const own = workspaceId === undefined ? workspacesInScope() : [workspaceId];
    const found = own && (await db.$queryRawUnsafe<{ id: string }[]>(OF_WORKSPACES, own, orgId, before, limit + 1));
    const where = { orgId, id: found ? { in: found.map(({ id }) => id) } : { lt: before } };
    const rows = await db.execution.findMany({ where, take: limit + 1, orderBy: { id: 'desc' } });
    const { page, nextCursor } = toIdPage(rows, limit);
    return { executions: page.map(toExecution), nextCursor };
  },

  async getExecution({ id }) {
    const row = await db.execution.findFirst({ where: { id, orgId: caller().orgId } });
    if (!row) throw notFound('Execution', id);
    requireInScope(row.workspaceId);
    return toExecution(row);
  },
});

const toExecution = ({ input, output, error, ...row }: Row): Execution => ({
  ...toWire(row),
  input: fromLogged(input) as Execution['input'],
  output: output === null ? undefined : (fromLogged(output) as Execution['output']),
  error: (error ?? undefined) as unknown as Execution['error'],
});
