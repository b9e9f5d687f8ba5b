import { NIL_ID } from '@drawbridge/contracts';
import { type Logger } from '@drawbridge/rpc';
import { type Pool } from 'pg';
import { claimSettler } from '../claims/write-claims.js';
import { RunsUnderWay, storeAnswer } from './store-answer.js';
import { type Run, runRecorder } from './record.js';

const run = { id: NIL_ID, orgId: NIL_ID, workspaceId: NIL_ID, createdAt: new Date().toISOString() } as Run;
const log = { warn: () => undefined, error: () => undefined } as unknown as Logger;
const ended = { outcome: { outputJson: `{"a":"${'x'.repeat(1_000)}"}`, duration: 1 }, loggedOutput: '{}' };

/** Stores the outcome of a run in a fake database that rejects every query until `restore` is called. */
function store(runs: RunsUnderWay, key?: { orgId: string; key: string; requestHash: string }) {
  let isBack = false;
  const asked: (() => void)[] = [];
  const failed = new Promise<void>((resolve) => asked.push(resolve));
  const query = async () => {
    asked.forEach((hear) => hear());
    if (!isBack) throw new Error('away');
    return { rows: [{ settled: 1 }] };
  };
  const pool = { query } as unknown as Pool;
  const answer = storeAnswer(
    { pool, log, runs, recordRun: runRecorder(pool), settleClaim: claimSettler(pool), onRecorded: () => undefined },
    { run, key },
    ended,
  );
  return { answer, failed, restore: () => (isBack = true) };
}

const hasCapacity = (runs: RunsUnderWay): boolean => {
  try {
    runs.requireCapacity();
    return true;
  } catch {
    return false;
  }
};
const aTurn = () => new Promise((resolve) => setImmediate(resolve));

describe('a run that cannot be recorded', () => {
  it('takes room until it is, and its caller still hears its output', async () => {
    const runs = new RunsUnderWay({ runs: 1, bytes: 1e6 });
    const { answer, failed, restore } = store(runs);
    expect(hasCapacity(runs)).toBe(true);
    await failed;
    await aTurn();
    expect(() => runs.requireCapacity()).toThrow(expect.objectContaining({ code: 'UNAVAILABLE', status: 503 }));
    restore();
    expect((await answer).outcome).toEqual(ended.outcome);
    expect(hasCapacity(runs)).toBe(true);
  });

  it.each([
    ['stores its output for a repeated request under its key', { orgId: NIL_ID, key: 'k', requestHash: 'h' }, false],
    ['keeps no output without a key', undefined, true],
  ])('%s', async (_what, key, expected) => {
    const runs = new RunsUnderWay({ runs: 10, bytes: 500 });
    const { answer, failed, restore } = store(runs, key);
    await failed;
    await aTurn();
    expect(hasCapacity(runs)).toBe(expected);
    restore();
    await answer;
  });
});
