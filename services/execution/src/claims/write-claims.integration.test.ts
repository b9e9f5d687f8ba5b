import { setTimeout as sleep } from 'node:timers/promises';
import { newId } from '@drawbridge/contracts';
import { type Pool } from 'pg';
import { type Run } from '../run-log/record.js';
import { counting, inDeletionOf, newRun } from '../testing/runs.js';
import { database, query } from '../testing/spaces.js';
import { claimPoller, findStoredAnswer } from './claims.js';
import { claimSettler, claimTaker, settleExpired } from './write-claims.js';

const ENDED = { outcome: { outputJson: '{"a":"é\\u0000"}', duration: 7 }, loggedOutput: '{"a":"é"}' };
const LEASES = { has: () => false, hold: () => Promise.reject(new Error('Nothing is run here')) as never };

const keyOf = ({ orgId }: Run, key = 'k') => ({ orgId, key, requestHash: 'h' });
const runsOf = (count: number, changes: Partial<Run> = {}): Run[] =>
  Array.from({ length: count }, () => newRun(changes));

/** Returns for each claim its run, and `settled` if it has a result. */
async function claimsOf(runs: readonly Run[]): Promise<string[]> {
  const sql = `SELECT execution_id AS id, outcome IS NOT NULL AS settled FROM execution.claims WHERE execution_id = ANY($1::uuid[])`;
  const { rows } = await query(sql, [runs.map(({ id }) => id)]);
  return rows.map(({ id, settled }) => (settled ? `${id} settled` : id)).sort();
}

/** Returns for each recorded run its status and its number of events. */
async function recorded(runs: readonly Run[]): Promise<string[]> {
  const sql = `SELECT e.id, e.status, (SELECT count(*)::int FROM execution.outbox o WHERE o.org_id = e.org_id) AS events
    FROM execution.executions e WHERE e.id = ANY($1::uuid[])`;
  const { rows } = await query(sql, [runs.map(({ id }) => id)]);
  return rows.map(({ id, status, events }) => `${id} ${status} ${events}`).sort();
}

const ids = (runs: readonly Run[]): string[] => runs.map(({ id }) => id).sort();
const settledIds = (runs: readonly Run[]): string[] => runs.map(({ id }) => `${id} settled`).sort();
const successes = (runs: readonly Run[]): string[] => runs.map(({ id }) => `${id} success 1`).sort();

/** Takes the claims of runs, each with its key. */
async function takeAll(runs: readonly Run[], keys: (run: Run) => ReturnType<typeof keyOf> = keyOf): Promise<boolean[]> {
  const take = claimTaker(database.pool);
  return Promise.all(runs.map((run) => take(keys(run), run)));
}

describe('taking claims', () => {
  it('takes the claims of calls that arrive together in few commits', async () => {
    const { pool, counts } = counting();
    const [take, runs] = [claimTaker(pool), runsOf(120)];
    expect(await Promise.all(runs.map((run) => take(keyOf(run), run)))).toEqual(runs.map(() => true));
    expect(await claimsOf(runs)).toEqual(ids(runs));
    expect(counts).toEqual({ 'take-claims': 3 });
  });

  it('gives a key to one of the runs that arrive together', async () => {
    const runs = runsOf(20, { orgId: newId() });
    const taken = await takeAll(runs, (run) => keyOf(run, `k${runs.indexOf(run) % 4}`));
    expect(taken.filter(Boolean)).toHaveLength(4);
    expect(await claimsOf(runs)).toEqual(ids(runs.filter((_, at) => taken[at])));
  });

  it('gives a key of one organization also to another organization', async () => {
    expect(await takeAll(runsOf(5))).toEqual([true, true, true, true, true]);
  });

  it('refuses a key that is claimed, and takes one that expired', async () => {
    const [live, expired, next] = [newRun(), newRun(), newRun()];
    await takeAll([live, expired]);
    const past = `UPDATE execution.claims SET outcome = '{}', expires_at = now() WHERE execution_id = $1`;
    await query(past, [expired.id]);
    const again = [newRun({ orgId: live.orgId }), newRun({ orgId: expired.orgId }), next];
    expect(await takeAll(again)).toEqual([false, true, true]);
    expect(await claimsOf([live, expired, ...again])).toEqual(ids([live, again[1]!, next]));
  });

  it('fails only the call of a deleted workspace, and the call with a key that cannot be stored', async () => {
    const runs = runsOf(6);
    await query('SELECT execution.bury_workspace($1::uuid)', [runs[1]!.workspaceId]);
    const take = claimTaker(database.pool);
    const ended = await Promise.allSettled(runs.map((run, at) => take(keyOf(run, at === 4 ? 'a\0b' : 'k'), run)));
    expect(ended.map(({ status }) => status === 'fulfilled')).toEqual([true, false, true, true, false, true]);
    expect(ended[1]).toMatchObject({ reason: { code: 'NOT_FOUND', status: 404 } });
    expect(await claimsOf(runs)).toEqual(ids(runs.filter((_, at) => at !== 1 && at !== 4)));
  });

  it.each(['COMMIT', 'ROLLBACK'])(
    'delays only the call of a workspace that is being deleted, until %s',
    async (end) => {
      const runs = runsOf(3);
      const [waiting] = runs;
      await inDeletionOf(waiting!.workspaceId, async (tx) => {
        const take = claimTaker(database.pool);
        const [first, ...others] = runs.map((run) => take(keyOf(run), run).catch(({ code }) => code));
        expect(await Promise.all(others)).toEqual([true, true]);
        const alone = newRun();
        expect(await take(keyOf(alone), alone)).toBe(true);
        expect(await Promise.race([first, sleep(50, 'waits')])).toBe('waits');
        await tx.query(end);
        expect(await first).toBe(end === 'COMMIT' ? 'NOT_FOUND' : true);
      });
    },
  );
});

describe('settling claims', () => {
  it('settles the claims of runs that end together in few commits, each with its record and its event', async () => {
    const { pool, counts } = counting();
    const [settle, runs] = [claimSettler(pool), runsOf(120)];
    await takeAll(runs);
    const settled = await Promise.all(runs.map((run) => settle(run, { ...ENDED, key: 'k' })));
    expect(settled).toEqual(runs.map(() => true));
    expect(await claimsOf(runs)).toEqual(settledIds(runs));
    expect(await recorded(runs)).toEqual(successes(runs));
    expect(counts).toEqual({ 'settle-claims': 3 });
  });

  it('stores what the statement for one claim stores', async () => {
    const failed = { outcome: { failure: { code: 'X', message: 'é', details: { a: 1 } }, duration: 0 } };
    const optional = { integrationAlias: 'gh', endUserId: 'u', connectionId: newId(), approvalId: 'apr_1' };
    const [alone, ...grouped] = runsOf(3, optional);
    await takeAll([alone!, ...grouped]);
    await query(`UPDATE execution.claims SET lease_until = now() - interval '1 s' WHERE execution_id = $1`, [
      alone!.id,
    ]);
    expect(await settleExpired(database.pool, alone!, 'k', failed.outcome)).toBe(true);
    const settle = claimSettler(database.pool);
    await Promise.all(grouped.map((run) => settle(run, { ...failed, key: 'k' })));
    const sql = `SELECT to_jsonb(e) - '{id,org_id,workspace_id}'::text[] AS row, c.outcome
      FROM execution.executions e JOIN execution.claims c ON c.execution_id = e.id WHERE e.id = $1`;
    const [one, other] = await Promise.all([alone, grouped[0]].map(async (run) => (await query(sql, [run!.id])).rows));
    expect(other).toEqual(one);
    expect(one).toHaveLength(1);
  });

  it('stores a large result, and results beside it', async () => {
    const runs = runsOf(4);
    await takeAll(runs);
    const { pool, counts } = counting();
    const settle = claimSettler(pool);
    const outputOf = (at: number): string => JSON.stringify({ text: 'é'.repeat(at === 2 ? 2_000_000 : 1) });
    await Promise.all(
      runs.map((run, at) => settle(run, { outcome: { outputJson: outputOf(at), duration: 1 }, key: 'k' })),
    );
    expect(counts).toEqual({ 'settle-claims': 1, 'settle-claim': 1 });
    expect(await recorded(runs)).toEqual(successes(runs));
    const poller = claimPoller(database.pool, LEASES);
    const answers = await Promise.all(
      runs.map((run) => findStoredAnswer(poller, keyOf(run), AbortSignal.timeout(9_000))),
    );
    expect(answers.map((answer) => answer?.outcome.outputJson)).toEqual(runs.map((_, at) => outputOf(at)));
  });

  it('settles a claim once, however often and by however many processes', async () => {
    const runs = runsOf(10);
    await takeAll(runs);
    const settlers = [claimSettler(database.pool), claimSettler(database.pool)];
    const all = await Promise.all(
      settlers.map((settle) => Promise.all(runs.map((run) => settle(run, { ...ENDED, key: 'k' })))),
    );
    expect(runs.map((_, at) => all.filter((settled) => settled[at]).length)).toEqual(runs.map(() => 1));
    expect(await recorded(runs)).toEqual(successes(runs));
  });

  it('settles no claim of another run, and none that was never taken', async () => {
    const [owner, other, unclaimed, last] = [newRun(), newRun(), newRun(), newRun()];
    await takeAll([owner, last]);
    const settle = claimSettler(database.pool);
    const runs = [{ ...other, orgId: owner.orgId }, unclaimed, last];
    expect(await Promise.all(runs.map((run) => settle(run, { ...ENDED, key: 'k' })))).toEqual([false, false, true]);
    expect(await recorded([owner, ...runs])).toEqual(successes([last]));
  });

  it('fails only the run that cannot be stored', async () => {
    const [bad, others] = [newRun({ source: 'a\0b' }), runsOf(9)];
    await takeAll([newRun({ id: bad.id, orgId: bad.orgId }), ...others]);
    const settle = claimSettler(database.pool);
    const ended = await Promise.allSettled([...others, bad].map((run) => settle(run, { ...ENDED, key: 'k' })));
    expect(ended.map(({ status }) => status)).toEqual([...others.map(() => 'fulfilled'), 'rejected']);
    expect(await recorded([...others, bad])).toEqual(successes(others));
    expect(await claimsOf([bad])).toEqual([bad.id]);
  });

  it.each(['COMMIT', 'ROLLBACK'])('delays only the run of a workspace that is being deleted, until %s', async (end) => {
    const runs = runsOf(3);
    await takeAll(runs);
    await inDeletionOf(runs[0]!.workspaceId, async (tx) => {
      const settle = claimSettler(database.pool);
      const [first, ...others] = runs.map((run) => settle(run, { ...ENDED, key: 'k' }));
      expect(await Promise.all(others)).toEqual([true, true]);
      expect(await Promise.race([first, sleep(50, 'waits')])).toBe('waits');
      await tx.query(end);
      expect(await first).toBe(end === 'ROLLBACK');
    });
    expect(await recorded(runs)).toEqual(successes(end === 'COMMIT' ? runs.slice(1) : runs));
  });
});

it('takes and settles the same keys in two processes without errors, each key once at a time', async () => {
  const orgId = newId();
  const names = Array.from({ length: 30 }, (_, at) => `k${at}`);
  const [runs, errors]: [Run[], unknown[]] = [[], []];
  const recordErrors = (statement: string, values?: unknown[]): unknown =>
    database.pool.query(statement, values).catch((error: unknown) => {
      errors.push(error); // The claims of a failed statement are taken again, so that a deadlock would only be slow.
      throw error;
    });
  const pool = { query: recordErrors } as unknown as Pool;
  const work = async (order: readonly string[]): Promise<void> => {
    const [take, settle] = [claimTaker(pool), claimSettler(pool)];
    for (let round = 0; round < 8; round++) {
      const ours = order.map((key) => ({ key, run: newRun({ orgId }) }));
      const taken = await Promise.all(ours.map(({ key, run }) => take({ orgId, key, requestHash: 'h' }, run)));
      const held = ours.filter((_, at) => taken[at]);
      runs.push(...held.map(({ run }) => run));
      await Promise.all(held.map(async ({ key, run }) => expect(await settle(run, { ...ENDED, key })).toBe(true)));
      // The next round takes the same keys again.
      const expire = 'UPDATE execution.claims SET expires_at = now() WHERE execution_id = ANY($1::uuid[])';
      await query(expire, [held.map(({ run }) => run.id)]);
    }
  };
  await Promise.all([work(names), work(names.toReversed())]);
  expect(errors).toEqual([]);
  const { rows } = await query('SELECT id FROM execution.executions WHERE org_id = $1', [orgId]);
  expect(rows.map(({ id }) => id).sort()).toEqual(ids(runs));
});

describe('a claim that another transaction locks', () => {
  /** Locks the claim of a run while `work` runs. */
  async function whileLocked(run: Run, work: () => Promise<void>): Promise<void> {
    const tx = await database.pool.connect();
    try {
      await tx.query('BEGIN');
      await tx.query('SELECT FROM execution.claims WHERE execution_id = $1 FOR UPDATE', [run.id]);
      await work();
    } finally {
      await tx.query('COMMIT');
      tx.release();
    }
  }

  it('delays only the settlement of its run', async () => {
    const runs = runsOf(4);
    await takeAll(runs);
    let first: Promise<boolean> | undefined;
    await whileLocked(runs[0]!, async () => {
      const settle = claimSettler(database.pool);
      const [locked, ...others] = runs.map((run) => settle(run, { ...ENDED, key: 'k' }));
      first = locked;
      expect(await Promise.all(others)).toEqual([true, true, true]);
      expect(await Promise.race([first, sleep(50, 'waits')])).toBe('waits');
    });
    expect(await first).toBe(true);
    expect(await recorded(runs)).toEqual(successes(runs));
  });

  it('delays only the call that takes its key', async () => {
    const [expired, ...others] = runsOf(4);
    await takeAll([expired!]);
    await query('UPDATE execution.claims SET expires_at = now() WHERE execution_id = $1', [expired!.id]);
    const again = newRun({ orgId: expired!.orgId });
    let first: Promise<boolean> | undefined;
    await whileLocked(expired!, async () => {
      const take = claimTaker(database.pool);
      const [locked, ...rest] = [again, ...others].map((run) => take(keyOf(run), run));
      first = locked;
      expect(await Promise.all(rest)).toEqual([true, true, true]);
      expect(await Promise.race([first, sleep(50, 'waits')])).toBe('waits');
    });
    expect(await first).toBe(true);
  });
});

it('keeps the claims of a commit with a lost response, if the statement is repeated', async () => {
  const runs = runsOf(4);
  let isLost = true;
  const losing = {
    query: async (statement: { name?: string }) => {
      const result = await database.pool.query(statement as { text: string });
      if (statement.name !== 'take-claims' || !isLost) return result;
      isLost = false;
      throw Object.assign(new Error('lost'), { code: 'EPROTO' });
    },
  };
  const take = claimTaker(losing as unknown as Pool);
  expect(await Promise.all(runs.map((run) => take(keyOf(run), run)))).toEqual([true, true, true, true]);
  expect(await claimsOf(runs)).toEqual(ids(runs));
});

describe('looking up keys', () => {
  it('finds the results of the keys that have one', async () => {
    const [known, unknown] = [newRun(), newRun()];
    await takeAll([known]);
    await claimSettler(database.pool)(known, { ...ENDED, key: 'k' });
    const { pool, counts } = counting();
    const poller = claimPoller(pool, LEASES);
    const keys = [keyOf(unknown), keyOf(known), keyOf(known, 'other'), keyOf(known)];
    const found = await Promise.all(keys.map((key) => findStoredAnswer(poller, key, AbortSignal.timeout(9_000))));
    const answer = { executionId: known.id, outcome: ENDED.outcome };
    expect(found).toEqual([undefined, answer, undefined, answer]);
    expect(counts).toEqual({ 'find-claims': 1, 'find-claim': 2 });
  });
});
