import { randomUUID } from 'node:crypto';
import { openTestDatabase, type TestDatabase } from './fixtures/database.js';
import { eventually } from './fixtures/eventually.js';
import { quietLog } from './fixtures/messages.js';
import { type EventOf } from './consume-once.js';
import { inTransaction } from './in-transaction.js';
import { WORKSPACE_TABLES } from './tables.js';
import { type EmptyWorkspace, type WorkspaceGuard, workspaceGuard } from './workspace-guard.js';

const DELETE = `DELETE FROM things WHERE ctid IN (SELECT ctid FROM things WHERE workspace_id = $1 LIMIT $2)`;
const empty: EmptyWorkspace = async (tx, id, limit) => (await tx.query(DELETE, [id, limit])).rowCount ?? 0;

let database: TestDatabase;
let guards: WorkspaceGuard[];

beforeAll(async () => {
  database = await openTestDatabase();
  for (const { sql } of WORKSPACE_TABLES) await database.pool.query(sql);
  await database.pool.query('CREATE TABLE things (workspace_id uuid)');
});
afterAll(() => database.close());
beforeEach(() => {
  const { pool, schema } = database;
  // Simulates two processes of one service.
  guards = [1, 2].map(() => workspaceGuard({ pool, schema, log: quietLog(), empty }));
  guards.forEach((guard) => guard.start());
});
afterEach(() => Promise.all(guards.map((guard) => guard.stop(Date.now() + 10_000))));

function write(workspaceId: string): Promise<boolean> {
  const work = inTransaction(database.pool, async (tx) => {
    const asPrisma = async <T>(sql: string, ...values: unknown[]) => (await tx.query(sql, values)).rows as T;
    await guards[0]!.requireNotDeleted({ $queryRawUnsafe: asPrisma }, workspaceId);
    await tx.query('INSERT INTO things VALUES ($1)', [workspaceId]);
  });
  return work.then(
    () => true,
    (error: { code?: string }) => (error.code === 'NOT_FOUND' ? false : Promise.reject(error)),
  );
}

const gone = (workspaceId: string) =>
  ({ payload: { $case: 'workspaceDeleted', value: { workspaceId } } }) as EventOf<'workspaceDeleted'>;
/** Marks workspaces as deleted, as `consumeOnce` does. */
async function markDeleted(...ids: string[]): Promise<void> {
  const after: (() => void)[] = [];
  await inTransaction(database.pool, (tx) => guards[0]!.markDeleted(ids.map(gone), tx, (work) => after.push(work)));
  for (const work of after) work();
}

async function left(ids: string[]): Promise<number> {
  const sql = 'SELECT count(*)::int AS count FROM things WHERE workspace_id = ANY($1)';
  return (await database.pool.query(sql, [ids])).rows[0].count;
}

async function notEmpty(): Promise<number> {
  const sql = 'SELECT count(*)::int AS count FROM purged_workspaces WHERE emptied_at IS NULL';
  return (await database.pool.query(sql)).rows[0].count;
}

it('purges workspaces fairly: a large one does not delay small ones', async () => {
  const [large, small] = [randomUUID(), randomUUID()];
  await database.pool.query('INSERT INTO things SELECT $1::uuid FROM generate_series(1, 200000)', [large]);
  await write(small);
  await markDeleted(large);
  await eventually(async () => (await left([large])) < 200_000);
  await markDeleted(small);
  await eventually(async () => (await left([small])) === 0);
  expect(await left([large])).toBeGreaterThan(0);
  await database.pool.query('DELETE FROM things');
});

it('allows a write to an existing workspace, and refuses one to a deleted workspace', async () => {
  const id = randomUUID();
  expect(await write(id)).toBe(true);
  await markDeleted(id);
  expect(await write(id)).toBe(false);
});

it('leaves no rows after concurrent writes and a deletion', async () => {
  const ids = Array.from({ length: 60 }, () => randomUUID());
  const outcomes = await Promise.all(
    ids.flatMap((id) => [write(id), write(id), markDeleted(id).then(() => true), write(id), write(id)]),
  );
  expect(new Set(outcomes)).toEqual(new Set([true, false]));
  await eventually(async () => (await notEmpty()) === 0);
  expect(await left(ids)).toBe(0);
});

it('purges a large workspace in batches, each batch once, after repeated deletions too', async () => {
  const [id, other] = [randomUUID(), randomUUID()];
  const fill = 'INSERT INTO things SELECT $1::uuid FROM generate_series(1, $2::int)';
  await database.pool.query(fill, [id, 2_300]);
  await database.pool.query(fill, [other, 3]);
  await markDeleted(id);
  await markDeleted(id);
  await eventually(async () => (await notEmpty()) === 0);
  expect([await left([id]), await left([other])]).toEqual([0, 3]);
});
