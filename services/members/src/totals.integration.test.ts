import { randomUUID } from 'node:crypto';
import { lockQuota } from '@drawbridge/database';
import { planFit } from '@drawbridge/service';
import { openServiceDatabase } from '@drawbridge/testkit';
import { members } from './index.js';

let close: () => Promise<void>;
let database: Awaited<ReturnType<typeof members.openDatabase>>;

beforeAll(async () => void ({ database, close } = await openServiceDatabase(members)));
afterAll(() => close());

const [orgId, otherId] = [randomUUID(), randomUUID()];
const totals = async (of: string) => {
  const total = await database.db.total.findUnique({ where: { orgId_of: { orgId, of } } });
  return total && [total.rows, total.suspended];
};
const workspace = (slug: string, org = orgId) => ({ orgId: org, slug, name: slug });

describe('the totals of an organization', () => {
  it('follow concurrent creations, suspensions, resumptions and deletions', async () => {
    const { workspace: workspaces } = database.db;
    expect(await totals('workspaces')).toBeNull();
    await Promise.all(Array.from({ length: 40 }, (_, n) => workspaces.create({ data: workspace(`w-${n}`) })));
    await workspaces.createMany({ data: [workspace('a'), workspace('b'), workspace('theirs', otherId)] });
    expect(await totals('workspaces')).toEqual([42, 0]);

    const some = { orgId, slug: { in: ['a', 'w-1', 'w-2'] } };
    await workspaces.updateMany({ where: some, data: { suspendedAt: new Date() } });
    await workspaces.updateMany({ where: some, data: { suspendedAt: new Date(), name: 'Again' } });
    expect(await totals('workspaces')).toEqual([42, 3]);
    await workspaces.updateMany({ where: { orgId, slug: 'a' }, data: { suspendedAt: null } });
    expect(await totals('workspaces')).toEqual([42, 2]);
    await workspaces.deleteMany({ where: { orgId, slug: { in: ['b', 'w-1', 'w-3'] } } });
    expect(await totals('workspaces')).toEqual([39, 1]);
  });

  it('ignore rolled-back changes', async () => {
    const attempt = database.db.$transaction(async (tx) => {
      await tx.workspace.create({ data: workspace('never') });
      throw new Error('no');
    });
    await expect(attempt).rejects.toThrow('no');
    expect(await totals('workspaces')).toEqual([39, 1]);
  });
});

it('is fitted to a plan for no further organization once the process stops', async () => {
  const { pool } = database;
  const orgIds = Array.from({ length: 60 }, () => randomUUID()).sort();
  const noted = 'INSERT INTO members.plan_limits (org_id, version) SELECT unnest($1::uuid[]), 1';
  await pool.query(noted, [orgIds]);
  const first = await pool.connect();
  await first.query('BEGIN');
  await lockQuota(first, { orgId: orgIds[0]!, table: 'workspaces' });
  const log = { debug() {}, info() {}, warn() {}, error() {} };
  const fit = planFit({ pool, service: 'members', table: 'workspaces', log });
  await fit.start();
  const waiting = "SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'";
  while ((await pool.query(waiting)).rows.length === 0) await new Promise(setImmediate);
  const stopped = fit.stop(Date.now() + 60_000);
  await first.query('COMMIT');
  first.release();
  await stopped;
  const fitted = 'SELECT count(*)::int FROM members.plan_limits WHERE org_id = ANY ($1) AND fitted_at IS NOT NULL';
  expect((await pool.query(fitted, [orgIds])).rows).toEqual([{ count: 1 }]);
});
