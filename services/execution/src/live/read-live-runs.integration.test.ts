import { newId } from '@drawbridge/contracts';
import { database, query } from '../testing/spaces.js';
import { findRunning, LIST, listRunning } from './read-live-runs.js';

const MAX_ID = 'ffffffff-ffff-ffff-ffff-ffffffffffff';
/** The timers that are not faked. Only Date is faked, because the database client needs real timers. */
const TIMERS = [
  ...(['hrtime', 'nextTick', 'performance', 'queueMicrotask', 'setImmediate', 'clearImmediate'] as const),
  ...(['setInterval', 'clearInterval', 'setTimeout', 'clearTimeout'] as const),
];
const [orgId, workspaceId] = [newId(), newId()];

async function show(seconds: number): Promise<string> {
  const id = newId();
  const run = { id, orgId, workspaceId, source: 'rest', inputJson: '{}', createdAt: new Date().toISOString() };
  await query(
    `INSERT INTO execution.running_executions (id, org_id, workspace_id, run, until)
     VALUES ($1, $2, $3, $4::json, now() + $5 * interval '1 second')`,
    [id, orgId, workspaceId, JSON.stringify(run), seconds],
  );
  return id;
}

const list = async (workspaces?: string[]): Promise<string[]> =>
  (await listRunning(database.db, { orgId, before: MAX_ID, workspaces, limit: 10 })).map(({ id }) => id);

it.each([-3600, 0, 3600])(
  'shows the runs under way by the clock of the database, %d s from that of this process',
  async (offset) => {
    const [alive, dead] = [await show(60), await show(-60)];
    import.meta.jest.useFakeTimers({ now: Date.now() + offset * 1_000, doNotFake: TIMERS });
    try {
      expect(await findRunning(database.db, orgId, alive)).toMatchObject({ id: alive, status: 'running', input: {} });
      expect(await findRunning(database.db, orgId, dead)).toBeUndefined();
      expect(await findRunning(database.db, newId(), alive)).toBeUndefined();
      expect(await list()).toContain(alive);
      expect(await list()).not.toContain(dead);
      expect(await list([workspaceId])).toContain(alive);
      expect(await list([newId()])).toEqual([]);
      expect(await list([])).toEqual([]);
    } finally {
      import.meta.jest.useRealTimers();
    }
  },
);

it('reads no run that has ended, however many there are', async () => {
  await query(
    `INSERT INTO execution.running_executions (id, org_id, workspace_id, run, until)
     SELECT gen_random_uuid(), $1, $2, '{}', now() - interval '1 minute' FROM generate_series(1, 20000)`,
    [orgId, workspaceId],
  );
  await query('ANALYZE execution.running_executions', []);
  const { rows } = await query(`EXPLAIN (ANALYZE, FORMAT JSON) ${LIST}`, [orgId, MAX_ID, null, 10]);
  const [removed = 0] = /(?<="Rows Removed by Filter":)\d+/.exec(JSON.stringify(rows)) ?? [];
  expect(Number(removed)).toBeLessThan(100);
});
