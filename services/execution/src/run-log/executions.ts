import { notFound } from '@drawbridge/contracts';
import { fromIdCursor, toIdPage, toWire } from '@drawbridge/database';
import { type Execution, type ExecutionServiceDefinition } from '@drawbridge/proto/drawbridge/execution/v1/executions';
import { PageDefaults } from '@drawbridge/proto/drawbridge/fields/v1/fields';
import { caller, type Implementation, requireInScope, workspacesInScope } from '@drawbridge/rpc';
import { type Pool } from 'pg';
import { findRunning, listRunning, readConsole } from '../live/read-live-runs.js';
import { fromLogged } from './logged-json.js';
import { type Execution as Row, type PrismaClient as Db } from '../gen/prisma/client.js';

/**
 * Selects the newest runs of several workspaces. Scans an index for each workspace. The index on the organization could lead through all runs of
 * other workspaces first.
 */
const OF_WORKSPACES = `
  SELECT found.id FROM unnest($1::uuid[]) AS workspace CROSS JOIN LATERAL (
    SELECT id FROM execution.executions
    WHERE workspace_id = workspace AND org_id = $2::uuid AND id < $3::uuid ORDER BY id DESC LIMIT $4) AS found
  ORDER BY found.id DESC LIMIT $4`;
/** The start of the first page: no id is greater. */
const MAX_ID = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

export const executions = (
  db: Db,
  requireWorkspace: (workspaceId: string) => Promise<unknown>,
): Implementation<ExecutionServiceDefinition> => ({
  // Ids are UUIDv7, so sorting by id sorts by the start of the run.
  async listExecutions({ workspaceId, limit = PageDefaults.limit, cursor }) {
    if (workspaceId !== undefined) await requireWorkspace(workspaceId);
    const { orgId } = caller();
    const before = cursor === undefined ? MAX_ID : fromIdCursor(cursor);
    const own = workspaceId === undefined ? workspacesInScope() : [workspaceId];
    const found = own && (await db.$queryRawUnsafe<{ id: string }[]>(OF_WORKSPACES, own, orgId, before, limit + 1));
    const where = { orgId, id: found ? { in: found.map(({ id }) => id) } : { lt: before } };
    const rows = await db.execution.findMany({ where, take: limit + 1, orderBy: { id: 'desc' } });
    const running = await listRunning(db, { orgId, before, workspaces: own, limit: limit + 1 });
    const ended = rows.map(toExecution);
    const { page, nextCursor } = toIdPage(merged(ended, running).slice(0, limit + 1), limit);
    return { executions: page, nextCursor };
  },

  async getExecution({ id }) {
    const { orgId } = caller();
    const found = await requireExecution(db, orgId, id);
    return isRunning(found) ? { ...found, console: await readConsole(db, orgId, id) } : found;
  },

  async getExecutionEvents({ id, after }) {
    const { orgId } = caller();
    const found = await requireExecution(db, orgId, id);
    const lines = await readConsole(db, orgId, id, after);
    // If the run ended between the two statements, its console is complete, because it is written before the outcome.
    return { lines, ended: isRunning(found) ? undefined : found };
  },
});

/** Returns an execution that has ended or is running. Throws NOT_FOUND. */
async function requireExecution(db: Db, orgId: string, id: string): Promise<Execution> {
  const row = await db.execution.findFirst({ where: { id, orgId } });
  const found = row ? toExecution(row) : await findRunning(db, orgId, id);
  if (!found) throw notFound('Execution', id);
  requireInScope(found.workspaceId);
  return found;
}

const isRunning = ({ status }: Execution): boolean => status === 'running';

/** Merges two lists, newest first. A run that just ended can be in both lists and is returned once. */
function merged(ended: Execution[], running: Execution[]): Execution[] {
  const ids = new Set(ended.map(({ id }) => id));
  const all = [...ended, ...running.filter(({ id }) => !ids.has(id))];
  return all.sort((a, b) => (a.id < b.id ? 1 : -1));
}

const toExecution = ({ input, output, error, ...row }: Row): Execution => ({
  ...toWire(row),
  console: [],
  input: fromLogged(input) as Execution['input'],
  output: output === null ? undefined : (fromLogged(output) as Execution['output']),
  error: (error ?? undefined) as unknown as Execution['error'],
});

const FIND = { name: 'find-run', text: 'SELECT FROM execution.executions WHERE org_id = $1 AND id = $2' };

/** Returns true if the run log contains the run, so that it has ended with any outcome. */
export async function isLogged(pool: Pool, orgId: string, id: string): Promise<boolean> {
  const { rowCount } = await pool.query({ ...FIND, values: [orgId, id] });
  return rowCount === 1;
}
