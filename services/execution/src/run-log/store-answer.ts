import { setTimeout as sleep } from 'node:timers/promises';
import { describeError, type Logger } from '@drawbridge/rpc';
import { type Pool } from 'pg';
import { readStoredAnswer, type StoredAnswer } from '../claims/claims.js';
import { type IdempotencyKey } from '../claims/idempotency-key.js';
import { type Lease } from '../claims/lease.js';
import { type RunsUnderWay } from '../pipeline/runs-under-way.js';
import { OUTCOME_UNKNOWN } from './outcome.js';
import { type FinishedRun, recordRun, type Run, settleClaim } from './record.js';

const FIRST_PAUSE_MS = 100;
const MAX_PAUSE_MS = 2_000;
/** An answer that could not be stored is kept no longer. */
const GIVE_UP_MS = 10 * 60_000;
/**
 * Where the lease is over before the run is: for one try at least. Where only renewing succeeds: not for ever. Without a key
 * nobody waits but the caller: as long as a lease.
 */
const WAIT_MS = { least: 5_000, withoutKey: 15_000, most: 20_000 };

/** A run, and the key that its answer is stored under. */
interface KeyedRun {
  run: Run;
  key?: IdempotencyKey;
  /** Of the key. */
  lease?: Lease;
}

interface Dependencies {
  pool: Pool;
  log: Logger;
  runs: RunsUnderWay;
  onRecorded(): void;
}

/**
 * Stores how a run ended, and tries until it is stored: the run happened. Returns what is stored, which is another's word
 * where the lease lapsed and waiters were told that the outcome is unknown: everyone hears the same. What could not be
 * stored when the lease ends is answered as unknown, and still stored when the database is back.
 */
export async function storeAnswer(
  dependencies: Dependencies,
  keyed: KeyedRun,
  ended: FinishedRun,
): Promise<StoredAnswer> {
  const { run, key, lease } = keyed;
  // Without a key nobody asks again: the output is for this caller, and not kept for as long as storing takes.
  const kept = key ? ended : withoutOutput(ended);
  const trying = dependencies.runs.track(storeAndRelease(dependencies, keyed, kept));
  const stored = await untilLeaseEnds(trying, lease);
  if (!stored) return { executionId: run.id, outcome: OUTCOME_UNKNOWN };
  return key ? stored : { executionId: run.id, outcome: ended.outcome };
}

function withoutOutput({ outcome: { outputJson: _, ...outcome }, loggedOutput }: FinishedRun): FinishedRun {
  return { outcome, loggedOutput };
}

/** Undefined where the lease ends first. One plain timer: to abort a promised one costs an error with its stack, for every run. */
function untilLeaseEnds(trying: Promise<StoredAnswer>, lease: Lease | undefined): Promise<StoredAnswer | undefined> {
  const startedAt = performance.now();
  return new Promise((resolve) => {
    const look = (): void => {
      const endsAt = lease ? Math.min(lease.endsAt(), startedAt + WAIT_MS.most) : startedAt + WAIT_MS.withoutKey;
      const left = endsAt - performance.now();
      if (left > 0) timer = setTimeout(look, left);
      else resolve(undefined);
    };
    let timer = setTimeout(look, WAIT_MS.least);
    const stop = (stored: StoredAnswer): void => {
      clearTimeout(timer);
      resolve(stored);
    };
    trying.then(stop, () => undefined); // who gives up does so long after this
  });
}

async function storeAndRelease(dependencies: Dependencies, keyed: KeyedRun, ended: FinishedRun): Promise<StoredAnswer> {
  try {
    return await storeOnce(dependencies, keyed, ended);
  } catch (error) {
    warn(dependencies, keyed, error);
    return await countUntilStored(dependencies, keyed, ended);
  } finally {
    keyed.lease?.release();
  }
}

async function countUntilStored(
  dependencies: Dependencies,
  keyed: KeyedRun,
  ended: FinishedRun,
): Promise<StoredAnswer> {
  const forget = dependencies.runs.addUnstored(ended);
  return storeWithRetries(dependencies, keyed, ended).finally(forget);
}

async function storeWithRetries(
  dependencies: Dependencies,
  keyed: KeyedRun,
  ended: FinishedRun,
): Promise<StoredAnswer> {
  const giveUpAt = performance.now() + GIVE_UP_MS;
  for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(pause * 2, MAX_PAUSE_MS)) {
    await sleep(pause);
    try {
      return await storeOnce(dependencies, keyed, ended);
    } catch (error) {
      if (performance.now() > giveUpAt) {
        const line = { executionId: keyed.run.id, error: describeError(error) };
        dependencies.log.error(line, 'how a run ended could not be stored');
        throw error;
      }
      warn(dependencies, keyed, error);
    }
  }
}

function warn({ log }: Dependencies, { run }: KeyedRun, error: unknown): void {
  log.warn({ executionId: run.id, error: describeError(error) }, 'how a run ended could not be stored; trying again');
}

/** May be repeated: what was stored although the answer of the database was lost is found, not stored again. */
async function storeOnce(
  { pool, onRecorded }: Dependencies,
  { run, key }: KeyedRun,
  ended: FinishedRun,
): Promise<StoredAnswer> {
  const own = { executionId: run.id, outcome: ended.outcome };
  if (key && !(await settleClaim(pool, run, { ...ended, key: key.key })))
    return (await readStoredAnswer(pool, key)) ?? own;
  if (!key) await recordRun(pool, run, ended);
  onRecorded();
  return own;
}
