import { setTimeout as sleep } from 'node:timers/promises';
import { ApiError } from '@drawbridge/contracts';
import { type Background, describeError, type Logger, untilDeadline } from '@drawbridge/rpc';
import { type Pool } from 'pg';
import { readStoredAnswer, type StoredAnswer } from '../claims/claims.js';
import { type IdempotencyKey, type Lease } from '../claims/idempotency-key.js';
import { type SettleClaim } from '../claims/write-claims.js';
import { OUTCOME_UNKNOWN } from './outcome.js';
import { type FinishedRun, type RecordRun, type Run } from './record.js';

const FIRST_PAUSE_MS = 100;
const MAX_PAUSE_MS = 2_000;
/** Time after which an outcome that could not be stored is dropped. */
const GIVE_UP_MS = 10 * 60_000;
/**
 * Limits of the time that a caller waits for the storage of the outcome. `least` allows one attempt even if the lease ends before the run. `most`
 * ends the wait if renewals succeed but the storage fails. `withoutKey` applies to runs without an idempotency key and equals the duration of a
 * lease.
 */
const WAIT_MS = { least: 5_000, withoutKey: 15_000, most: 20_000 };

const MAX_UNSTORED = { runs: 1_000, bytes: 256 * 1024 * 1024 };

/** A run, and the idempotency key that its result is stored under. */
interface KeyedRun {
  run: Run;
  key?: IdempotencyKey;
  /** The lease of the idempotency key. */
  lease?: Lease;
}

interface Dependencies {
  pool: Pool;
  log: Logger;
  runs: RunsUnderWay;
  recordRun: RecordRun;
  settleClaim: SettleClaim;
  onRecorded(): void;
}

/**
 * Stores the outcome of a run, with retries, and returns the stored result. If the lease lapsed and another process stored OUTCOME_UNKNOWN, returns
 * OUTCOME_UNKNOWN. If the lease ends before the outcome is stored, returns OUTCOME_UNKNOWN and continues to store the outcome.
 */
export async function storeAnswer(
  dependencies: Dependencies,
  keyed: KeyedRun,
  ended: FinishedRun,
): Promise<StoredAnswer> {
  const { run, key, lease } = keyed;
  // Without an idempotency key, the output is never replayed. Only this caller receives it, so it does not stay in memory during retries.
  const kept = key ? ended : withoutOutput(ended);
  const trying = dependencies.runs.track(storeAndRelease(dependencies, keyed, kept));
  const stored = await untilLeaseEnds(trying, lease);
  if (!stored) return { executionId: run.id, outcome: OUTCOME_UNKNOWN };
  return key ? stored : { executionId: run.id, outcome: ended.outcome };
}

function withoutOutput({ outcome: { outputJson: _, ...outcome }, loggedOutput }: FinishedRun): FinishedRun {
  return { outcome, loggedOutput };
}

/**
 * Waits until the outcome is stored. Returns undefined if the lease ends first. Uses a plain timer, because aborting a promise-based timer creates an
 * error with a stack trace for each run.
 */
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
    trying.then(stop, () => undefined); // The rejection can be ignored, because it happens long after this wait has ended.
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
        dependencies.log.error(line, 'the outcome of a run could not be stored');
        throw error;
      }
      warn(dependencies, keyed, error);
    }
  }
}

function warn({ log }: Dependencies, { run }: KeyedRun, error: unknown): void {
  log.warn({ executionId: run.id, error: describeError(error) }, 'the outcome of a run could not be stored; retrying');
}

/** Stores the outcome. It is safe to repeat: if an earlier commit succeeded but its response was lost, the stored outcome is returned. */
async function storeOnce(
  { pool, recordRun, settleClaim, onRecorded }: Dependencies,
  { run, key }: KeyedRun,
  ended: FinishedRun,
): Promise<StoredAnswer> {
  const own = { executionId: run.id, outcome: ended.outcome };
  if (key && !(await settleClaim(run, { ...ended, key: key.key }))) return (await readStoredAnswer(pool, key)) ?? own;
  if (!key) await recordRun(run, ended);
  onRecorded();
  return own;
}

/**
 * Tracks the runs of this process. A run continues after its caller disconnects, so the shutdown waits for the runs here. An outcome that cannot be
 * stored counts towards the limits until it is stored, or dropped after 10 minutes.
 */
export class RunsUnderWay implements Background {
  private readonly underWay = new Set<Promise<unknown>>();
  private unstored = 0;
  private unstoredBytes = 0;

  constructor(private readonly limits = MAX_UNSTORED) {}

  /** Delays the shutdown until the run has ended. */
  track<T>(run: Promise<T>): Promise<T> {
    this.underWay.add(run);
    const forget = (): void => void this.underWay.delete(run);
    run.then(forget, forget);
    return run;
  }

  /** Counts an outcome that is not stored yet. Returns a function that must be called when the outcome is stored or dropped. */
  addUnstored({ outcome, loggedOutput }: FinishedRun): () => void {
    const bytes = (outcome.outputJson?.length ?? 0) + (loggedOutput?.length ?? 0);
    this.unstored += 1;
    this.unstoredBytes += bytes;
    return () => {
      this.unstored -= 1;
      this.unstoredBytes -= bytes;
    };
  }

  /** Throws UNAVAILABLE if too many outcomes wait to be stored. Must be called before a request is sent to the provider. */
  requireCapacity(): void {
    if (this.unstored < this.limits.runs && this.unstoredBytes < this.limits.bytes) return;
    throw new ApiError('UNAVAILABLE', 'Too many runs wait to be recorded. Try again later');
  }

  start(): void {}

  async stop(deadline: number): Promise<void> {
    await untilDeadline(Promise.allSettled(this.underWay), deadline);
  }
}
