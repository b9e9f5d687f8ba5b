import { setTimeout as sleep } from 'node:timers/promises';
import { ApiError } from '@drawbridge/contracts';
import { type Background, describeError, type Logger, untilDeadline } from '@drawbridge/rpc';
import { type Pool } from 'pg';
import { readStoredAnswer, type StoredAnswer } from '../claims/claims.js';
import { type IdempotencyKey, type Lease } from '../claims/idempotency-key.js';
import { OUTCOME_UNKNOWN } from './outcome.js';
import { type FinishedRun, type RecordRun, type Run, settleClaim } from './record.js';

const FIRST_PAUSE_MS = 100;
const MAX_PAUSE_MS = 2_000;
/** An answer that could not be stored by then is dropped. */
const GIVE_UP_MS = 10 * 60_000;
/**
 * `least` allows one try if the lease ends before the run. `most` ends the wait if renewals succeed but storing does not.
 * `withoutKey` equals a lease: only the caller waits.
 */
const WAIT_MS = { least: 5_000, withoutKey: 15_000, most: 20_000 };

const MAX_UNSTORED = { runs: 1_000, bytes: 256 * 1024 * 1024 };

/** A run, and the key that its answer is stored under. */
interface KeyedRun {
  run: Run;
  key?: IdempotencyKey;
  /** The lease of the key. */
  lease?: Lease;
}

interface Dependencies {
  pool: Pool;
  log: Logger;
  runs: RunsUnderWay;
  recordRun: RecordRun;
  onRecorded(): void;
}

/**
 * Stores the outcome of a run and retries until it is stored. Returns the stored answer. If the lease lapsed, another process may have
 * stored OUTCOME_UNKNOWN, and every caller gets that. If the lease ends first, returns OUTCOME_UNKNOWN and stores the outcome later.
 */
export async function storeAnswer(
  dependencies: Dependencies,
  keyed: KeyedRun,
  ended: FinishedRun,
): Promise<StoredAnswer> {
  const { run, key, lease } = keyed;
  // Without a key the output is never replayed: only this caller gets it, and it need not stay in memory during retries.
  const kept = key ? ended : withoutOutput(ended);
  const trying = dependencies.runs.track(storeAndRelease(dependencies, keyed, kept));
  const stored = await untilLeaseEnds(trying, lease);
  if (!stored) return { executionId: run.id, outcome: OUTCOME_UNKNOWN };
  return key ? stored : { executionId: run.id, outcome: ended.outcome };
}

function withoutOutput({ outcome: { outputJson: _, ...outcome }, loggedOutput }: FinishedRun): FinishedRun {
  return { outcome, loggedOutput };
}

/** Returns undefined if the lease ends first. Uses a plain timer: aborting a promise-based one creates an error with a stack for every run. */
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
    trying.then(stop, () => undefined); // Retries give up long after this wait ends.
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

/** Stores the outcome. Safe to repeat: an outcome with a lost commit answer is found and not stored again. */
async function storeOnce(
  { pool, recordRun, onRecorded }: Dependencies,
  { run, key }: KeyedRun,
  ended: FinishedRun,
): Promise<StoredAnswer> {
  const own = { executionId: run.id, outcome: ended.outcome };
  if (key && !(await settleClaim(pool, run, { ...ended, key: key.key })))
    return (await readStoredAnswer(pool, key)) ?? own;
  if (!key) await recordRun(run, ended);
  onRecorded();
  return own;
}

/**
 * Tracks the runs of this process. A run continues after its caller hangs up, so only this class knows of it at shutdown. An outcome
 * that cannot be stored is retried for minutes and counts towards the limits until then.
 */
export class RunsUnderWay implements Background {
  private readonly underWay = new Set<Promise<unknown>>();
  private unstored = 0;
  private unstoredBytes = 0;

  constructor(private readonly limits = MAX_UNSTORED) {}

  /** Delays shutdown until the run has ended. */
  track<T>(run: Promise<T>): Promise<T> {
    this.underWay.add(run);
    const forget = (): void => void this.underWay.delete(run);
    run.then(forget, forget);
    return run;
  }

  /** Returns a function to call when the outcome is stored or given up. */
  addUnstored({ outcome, loggedOutput }: FinishedRun): () => void {
    const bytes = (outcome.outputJson?.length ?? 0) + (loggedOutput?.length ?? 0);
    this.unstored += 1;
    this.unstoredBytes += bytes;
    return () => {
      this.unstored -= 1;
      this.unstoredBytes -= bytes;
    };
  }

  /** Throws UNAVAILABLE if too many outcomes wait to be stored. Call it before anything is sent. */
  requireCapacity(): void {
    if (this.unstored < this.limits.runs && this.unstoredBytes < this.limits.bytes) return;
    throw new ApiError('UNAVAILABLE', 'Runs cannot be recorded at the moment; try again');
  }

  start(): void {}

  async stop(deadline: number): Promise<void> {
    await untilDeadline(Promise.allSettled(this.underWay), deadline);
  }
}
