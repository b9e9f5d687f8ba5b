import { newId } from '@drawbridge/contracts';
import { type Database } from '@drawbridge/database';
import { openServiceDatabase } from '@drawbridge/testkit';
import { type PrismaClient as Db } from './gen/prisma/client.js';
import { members } from './index.js';
import { type Counted, countUsage } from './usage.js';

let close: () => Promise<void>;
let database: Database<Db>;
let orgId: string;

beforeAll(async () => void ({ database, close } = await openServiceDatabase(members)));
afterAll(() => close());
beforeEach(() => void (orgId = newId()));

interface Leased {
  lease_id: string | null;
  granted: number;
  used: number;
}

async function lease(wanted: number, allowed: number, before?: string): Promise<Leased> {
  const { rows } = await database.pool.query<Leased>('SELECT * FROM members.lease_actions($1, $2, $3, $4, $5)', [
    orgId,
    before ?? null,
    newId(),
    wanted,
    allowed,
  ]);
  return rows[0]!;
}

async function count(leaseIds: (string | undefined)[], occurredAt = new Date().toISOString()): Promise<void> {
  const events = leaseIds.map((leaseId) => ({
    orgId,
    occurredAt,
    payload: { $case: 'actionExecuted', value: { leaseId } },
  }));
  const tx = await database.pool.connect();
  try {
    await countUsage(events as unknown as Counted[], tx);
  } finally {
    tx.release();
  }
}

const used = async (): Promise<number[]> =>
  (await database.db.actionUsage.findMany({ where: { orgId }, orderBy: { month: 'asc' } })).map((row) => row.actions);
const held = async (): Promise<number[]> =>
  (await database.db.actionLease.findMany({ where: { orgId }, orderBy: { id: 'asc' } })).map((row) => row.held);

describe('leasing actions', () => {
  it.each([
    [1, 1_000_000, 100],
    [150, 1_000_000, 150],
    [1, 500, 50],
    [1, 201, 20],
    [1, 200, 1],
    [7, 200, 7],
    [7, 5, 5],
  ])('grants a request of %d of the %d left %d', async (wanted, allowed, granted) => {
    expect(await lease(wanted, allowed)).toEqual({ lease_id: expect.any(String), granted, used: 0 });
  });

  it('grants no more than the rest in concurrent requests', async () => {
    const grants = await Promise.all(Array.from({ length: 60 }, () => lease(1, 40)));
    expect(grants.filter(({ granted }) => granted === 1)).toHaveLength(40);
    expect(await lease(1, 40)).toEqual({ lease_id: null, granted: 0, used: 40 });
  });

  it('extends the same lease, and deducts executed actions from it', async () => {
    const { lease_id: id } = await lease(3, 10);
    expect((await lease(2, 10, id!)).lease_id).toBe(id);
    await count([id!, id!, undefined]);
    expect({ used: await used(), held: await held() }).toEqual({ used: [3], held: [3] });
    expect((await lease(9, 10)).granted).toBe(4);
  });

  it('releases the leases of a dead process, and still counts its executed actions', async () => {
    const { lease_id: id } = await lease(10, 10);
    expect((await lease(1, 10)).granted).toBe(0);
    await count([id!]);
    await database.db.actionLease.updateMany({ where: { orgId }, data: { until: new Date(Date.now() - 1) } });
    const again = await lease(10, 10, id!);
    expect(again).toEqual({ lease_id: expect.not.stringMatching(id!), granted: 9, used: 1 });
    await count([id!, again.lease_id!]);
    expect(await used()).toEqual([3]);
  });

  it('counts in the month of the lease, and without one in the month of the event', async () => {
    const { lease_id: id } = await lease(2, 10);
    await count([id!, undefined], '2020-02-29T23:59:59.999Z');
    expect(await used()).toEqual([1, 1]);
    expect(await held()).toEqual([1]);
  });
});

describe('leasing sandbox runs', () => {
  const leaseRuns = async (wanted: number, allowed: number): Promise<Leased> => {
    const values = [orgId, null, newId(), wanted, allowed, 'sandbox_runs'];
    const { rows } = await database.pool.query<Leased>(
      'SELECT * FROM members.lease_quota($1, $2, $3, $4, $5, $6)',
      values,
    );
    return rows[0]!;
  };
  const usage = async () => {
    const { actions, sandboxRuns } = await database.db.actionUsage.findFirstOrThrow({ where: { orgId } });
    return { actions, sandboxRuns };
  };

  it('grants at most the remaining actions', async () => {
    expect((await lease(10, 10)).granted).toBe(10);
    const grants = await Promise.all(Array.from({ length: 20 }, () => leaseRuns(1, 5)));
    expect(grants.filter(({ granted }) => granted === 1)).toHaveLength(5);
    expect(await lease(1, 10)).toMatchObject({ granted: 0, used: 10 });
  });

  it('counts a program of Code Mode as a run and not as an action, off its lease', async () => {
    const { lease_id: sandboxLeaseId } = await leaseRuns(3, 10);
    const value = { codeRunId: newId(), workspaceId: newId(), sandboxLeaseId: sandboxLeaseId ?? undefined };
    const started = { $case: 'codeRunStarted', value } as const;
    const events = [{ orgId, occurredAt: new Date().toISOString(), payload: started }];
    const tx = await database.pool.connect();
    await countUsage(events as unknown as Counted[], tx).finally(() => tx.release());
    expect(await usage()).toEqual({ actions: 0, sandboxRuns: 1 });
    expect(await held()).toEqual([2]);
  });

  it('counts a run as both, each off its lease', async () => {
    const { lease_id: leaseId } = await lease(3, 10);
    const { lease_id: sandboxLeaseId } = await leaseRuns(3, 10);
    const occurredAt = new Date().toISOString();
    const events = [
      { leaseId, usedSandbox: true, sandboxLeaseId },
      { leaseId, usedSandbox: true },
      { leaseId, usedSandbox: false },
    ].map((value) => ({ orgId, occurredAt, payload: { $case: 'actionExecuted', value } }));
    const tx = await database.pool.connect();
    await countUsage(events as unknown as Counted[], tx).finally(() => tx.release());
    expect(await usage()).toEqual({ actions: 3, sandboxRuns: 2 });
    expect((await held()).sort()).toEqual([0, 2]);
    expect((await leaseRuns(10, 10)).granted).toBe(6);
  });
});

it('counts the actions of many organizations in as many statements as those of one', async () => {
  const occurredAt = new Date().toISOString();
  const statementsFor = async (orgIds: string[]): Promise<number> => {
    const leases: (string | null)[] = [];
    for (orgId of orgIds) leases.push((await lease(10, 100)).lease_id);
    const events = orgIds.flatMap((id, at) =>
      [leases[at], undefined].map((leaseId) => ({
        orgId: id,
        occurredAt,
        payload: { $case: 'actionExecuted', value: { leaseId } },
      })),
    );
    const client = await database.pool.connect();
    let statements = 0;
    const query = (...args: [never]) => (statements++, client.query(...args));
    await countUsage(events as unknown as Counted[], { query } as unknown as typeof client);
    client.release();
    return statements;
  };
  const many = Array.from({ length: 40 }, () => newId());
  expect(await statementsFor(many)).toBe(await statementsFor([newId()]));
  const sql = `SELECT usage.actions, lease.held FROM members.action_usage usage
    JOIN members.action_leases lease USING (org_id) WHERE usage.org_id = ANY ($1)`;
  const { rows } = await database.pool.query(sql, [many]);
  expect(rows).toEqual(many.map(() => ({ actions: 2, held: 9 })));
});
