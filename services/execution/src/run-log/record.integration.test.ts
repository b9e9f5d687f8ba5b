import { setTimeout as sleep } from 'node:timers/promises';
import { newId } from '@drawbridge/contracts';
import { counting, inDeletionOf, newRun } from '../testing/runs.js';
import { database, query } from '../testing/spaces.js';
import { type Run, runRecorder } from './record.js';

const ENDED = { outcome: { outputJson: '{"a":"é\\u0000"}', duration: 7 }, loggedOutput: '{"a":"é"}' };

/** Returns the ids of the recorded runs, each with its number of events. */
async function stored(runs: readonly Run[]): Promise<string[]> {
  const sql = `SELECT e.id, (SELECT count(*)::int FROM execution.outbox o WHERE o.org_id = e.org_id) AS events
    FROM execution.executions e WHERE e.id = ANY($1::uuid[]) ORDER BY e.id`;
  const { rows } = await query(sql, [runs.map(({ id }) => id)]);
  return rows.map(({ id, events }) => `${id} ${events}`);
}

const once = (runs: readonly Run[]): string[] => runs.map(({ id }) => `${id} 1`).sort();

it('records the runs that end together in few commits, each with its event', async () => {
  const { pool, counts } = counting();
  const record = runRecorder(pool);
  const runs = Array.from({ length: 120 }, () => newRun());
  await Promise.all(runs.map((run) => record(run, ENDED)));
  expect(await stored(runs)).toEqual(once(runs));
  expect(counts).toEqual({ 'record-runs': 3 });
});

it('records a run in a batch like a single run', async () => {
  const failed = { outcome: { failure: { code: 'X', message: 'é', details: { a: 1 } }, duration: 0 } };
  const optional = { integrationAlias: 'gh', endUserId: 'u', connectionId: newId(), approvalId: 'apr_1' };
  const [alone, ...batch] = [newRun(optional), newRun(optional), newRun()];
  const record = runRecorder(database.pool);
  await record(alone!, failed);
  await Promise.all(batch.map((run) => record(run, failed)));
  const sql = `SELECT to_jsonb(e) - '{id,org_id,workspace_id,connection_id}'::text[] AS row FROM execution.executions e WHERE id = $1`;
  const [one, other] = await Promise.all([alone, batch[0]].map(async (run) => (await query(sql, [run!.id])).rows));
  expect(other).toEqual(one);
  expect(one).toHaveLength(1);
});

it('drops the runs of a deleted workspace, and no others', async () => {
  const runs = [newRun(), newRun(), newRun()];
  await query('SELECT execution.bury_workspace($1::uuid)', [runs[1]!.workspaceId]);
  const record = runRecorder(database.pool);
  await Promise.all(runs.map((run) => record(run, ENDED)));
  expect(await stored(runs)).toEqual(once([runs[0]!, runs[2]!]));
});

it.each(['COMMIT', 'ROLLBACK'])('delays only the runs of a workspace that is being deleted, until %s', async (end) => {
  const runs = [newRun(), newRun(), newRun()];
  const [waiting] = runs;
  await inDeletionOf(waiting!.workspaceId, async (tx) => {
    const record = runRecorder(database.pool);
    const [first, ...others] = runs.map((run) => record(run, ENDED));
    await Promise.all(others);
    expect(await stored(runs)).toEqual(once(runs.slice(1)));
    const later = newRun();
    await record(later, ENDED);
    expect(await stored([later])).toEqual(once([later]));
    expect(await Promise.race([first, sleep(50, 'waits')])).toBe('waits');
    await tx.query(end);
    await first;
  });
  expect(await stored(runs)).toEqual(once(end === 'COMMIT' ? runs.slice(1) : runs));
});

it('delays a single run of such a workspace if it ended alone', async () => {
  const [waiting, other] = [newRun(), newRun()];
  await inDeletionOf(waiting.workspaceId, async (tx) => {
    const record = runRecorder(database.pool);
    const first = record(waiting, ENDED);
    // After this pause, the first run is being recorded, so the second run is recorded after it.
    await sleep(50);
    await record(other, ENDED);
    expect(await stored([waiting, other])).toEqual(once([other]));
    await tx.query('ROLLBACK');
    await first;
  });
  expect(await stored([waiting])).toEqual(once([waiting]));
});

it('occupies no connection of the pool for runs that wait', async () => {
  const workspaceId = newId();
  const [waiting, other] = [Array.from({ length: 30 }, () => newRun({ workspaceId })), newRun()];
  await inDeletionOf(workspaceId, async (tx) => {
    const record = runRecorder(database.pool);
    const all = Promise.all(waiting.map((run) => record(run, ENDED)));
    // After this pause, all 30 runs wait for the deletion.
    await sleep(50);
    const others = record(other, ENDED).then(() => 'recorded');
    expect(await Promise.race([others, sleep(2_000, 'waits')])).toBe('recorded');
    await tx.query('ROLLBACK');
    await all;
  });
  expect(await stored([...waiting, other])).toEqual(once([...waiting, other]));
});

it('records a run once, however often it is recorded, without a second event', async () => {
  const [known, others] = [newRun(), [newRun(), newRun()]];
  const record = runRecorder(database.pool);
  await record(known, ENDED);
  await Promise.all([known, ...others, known].map((run) => record(run, ENDED)));
  await record(known, ENDED);
  expect(await stored([known, ...others])).toEqual(once([known, ...others]));
});

it('fails only the run that cannot be stored', async () => {
  const [bad, others] = [newRun({ inputJson: '{' }), Array.from({ length: 9 }, () => newRun())];
  const record = runRecorder(database.pool);
  const ended = await Promise.allSettled([...others, bad].map((run) => record(run, ENDED)));
  expect(ended.map(({ status }) => status)).toEqual([...others.map(() => 'fulfilled'), 'rejected']);
  expect(await stored([...others, bad])).toEqual(once(others));
});
