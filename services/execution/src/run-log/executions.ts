import { notFound } from '@drawbridge/contracts';
import { fromIdCursor, toIdPage, toWire } from '@drawbridge/database';
import { type Execution, type ExecutionServiceDefinition } from '@drawbridge/proto/drawbridge/execution/v1/executions';
import { PageDefaults } from '@drawbridge/proto/drawbridge/fields/v1/fields';
import { caller, type Implementation, requireInScope, workspacesInScope } from '@drawbridge/rpc';
import { fromLogged } from './run-log.js';
import { type Execution as Row, type PrismaClient as Db } from '../gen/prisma/client.js';

export const executions = (
  db: Db,
  requireWorkspace: (workspaceId: string) => Promise<unknown>,
): Implementation<ExecutionServiceDefinition> => ({
  // Ids are UUIDv7: their order is the order in which runs began.
  async listExecutions({ workspaceId, limit = PageDefaults.limit, cursor }) {
    if (workspaceId !== undefined) await requireWorkspace(workspaceId);
    const id = cursor === undefined ? undefined : { lt: fromIdCursor(cursor) };
    const own = workspacesInScope();
    const where = { orgId: caller().orgId, workspaceId: workspaceId ?? (own && { in: own }), id };
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
