import { type Execution } from '@drawbridge/proto/drawbridge/execution/v1/executions';
import { fromLogged } from '../run-log/logged-json.js';
import { type Run } from '../run-log/record.js';
import { type PrismaClient as Db } from '../gen/prisma/client.js';

const MAX_LINES = 1_001;

interface Found {
  run: unknown;
}

/** Selects an active run. `until` is compared with the clock of the database, which also set `until`. The clock of this process can differ. */
const FIND = `
  SELECT run FROM execution.running_executions WHERE id = $1::uuid AND org_id = $2::uuid AND until > now()`;
export const LIST = `
  SELECT run FROM execution.running_executions
  WHERE org_id = $1::uuid AND id < $2::uuid AND until > now() AND ($3::uuid[] IS NULL OR workspace_id = ANY ($3::uuid[]))
  ORDER BY id DESC LIMIT $4`;

/** Returns an active run without its console, or undefined. */
export async function findRunning(db: Db, orgId: string, id: string): Promise<Execution | undefined> {
  const [row] = await db.$queryRawUnsafe<Found[]>(FIND, id, orgId);
  return row && toRunning(row);
}

/** Returns the active runs of an organization, or of some of its workspaces, newest first. */
export async function listRunning(
  db: Db,
  { orgId, before, workspaces, limit }: { orgId: string; before: string; workspaces?: string[]; limit: number },
): Promise<Execution[]> {
  const rows = await db.$queryRawUnsafe<Found[]>(LIST, orgId, before, workspaces ?? null, limit);
  return rows.map(toRunning);
}

/** Returns the console lines of a run after a line number. */
export async function readConsole(db: Db, orgId: string, id: string, after = 0): Promise<Execution['console']> {
  const where = { id, orgId, line: { gt: after } };
  const rows = await db.consoleLine.findMany({ where, take: MAX_LINES, orderBy: { line: 'asc' } });
  return rows.map(({ line: number, level, text }) => ({ number, level, text }));
}

function toRunning({ run: stored }: Found): Execution {
  const { inputJson, ...run } = stored as unknown as Run;
  const durationMs = Math.max(0, Date.now() - Date.parse(run.createdAt));
  const input = fromLogged(JSON.parse(inputJson)) as Execution['input'];
  return { ...run, status: 'running', durationMs, input, console: [] };
}
