import { setTimeout as sleep } from 'node:timers/promises';
import { describeError, type Logger } from '@drawbridge/rpc';
import { type Pool } from 'pg';
import { type Key, readStored, type Stored } from '../claims/claims.js';
import { type Lease } from '../claims/lease.js';
import { OUTCOME_UNKNOWN } from './outcome.js';
import { type Ended, recordRun, type Run, settleClaim } from './record.js';
import { type Unstored } from './unstored.js';

const FIRST_PAUSE_MS = 100;
const MAX_PAUSE_MS = 2_000;
/** An answer that could not be stored is kept no longer. */
const GIVE_UP_MS = 10 * 60_000;
/** Where the lease is over before the run is: for one try at least. Where only renewing succeeds: not for ever. */
const WAIT_MS = { least: 5_000, most: 20_000 };

interface Storing {
  pool: Pool;
  log: Logger;
  key: Key | undefined;
  lease: Lease;
  unstored: Unstored;
  onRecorded(): void;
  /** Keeps the process from ending before the work does. */
  track<T>(work: Promise<T>): Promise<T>;
}

/**
 * Stores how a run ended, and tries until it is stored: the run happened. Answers what is stored, which is another's word
 * where the lease lapsed and waiters were told that the outcome is unknown: everyone hears the same. What could not be
 * stored when the lease ends is answered as unknown, and still stored when the database is back.
 */
export async function storeAnswer(run: Run, ended: Ended, storing: Storing): Promise<Stored> {
  const { key, lease, track } = storing;
  // Without a key nobody asks again: the output is for this caller, and not kept for as long as storing takes.
  const kept = key ? ended : withoutOutput(ended);
  const trying = track(tryOn(run, kept, storing)).finally(() => lease.release());
  const stored = await unlessLapsed(trying, lease);
  if (!stored) return { executionId: run.id, outcome: OUTCOME_UNKNOWN };
  return key ? stored : { executionId: run.id, outcome: ended.outcome };
}

function withoutOutput({ outcome: { outputJson: _, ...outcome }, loggedOutput }: Ended): Ended {
  return { outcome, loggedOutput };
}

async function unlessLapsed(trying: Promise<Stored>, lease: Lease): Promise<Stored | undefined> {
  const end = trying.catch(() => undefined);
  const [least, most] = [performance.now() + WAIT_MS.least, performance.now() + WAIT_MS.most];
  const left = (): number => Math.min(Math.max(lease.endsAt(), least), most) - performance.now();
  let stored: Stored | undefined;
  while (!stored && left() > 0) stored = await within(left(), end);
  return stored;
}

/** Undefined when the time is up. A plain timer: to abort a promised one costs an error with its stack, for every run. */
function within<T>(ms: number, work: Promise<T>): Promise<T | undefined> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms, undefined);
    void work.then((result) => {
      clearTimeout(timer);
      resolve(result);
    });
  });
}

async function tryOn(run: Run, ended: Ended, storing: Storing): Promise<Stored> {
  try {
    return await storeOnce(run, ended, storing);
  } catch (error) {
    warn(run, error, storing);
  }
  const forget = storing.unstored.add(ended);
  return tryAgain(run, ended, storing).finally(forget);
}

async function tryAgain(run: Run, ended: Ended, storing: Storing): Promise<Stored> {
  const giveUpAt = performance.now() + GIVE_UP_MS;
  for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(pause * 2, MAX_PAUSE_MS)) {
    await sleep(pause);
    try {
      return await storeOnce(run, ended, storing);
    } catch (error) {
      if (performance.now() > giveUpAt) {
        const line = { executionId: run.id, error: describeError(error) };
        storing.log.error(line, 'how a run ended could not be stored');
        throw error;
      }
      warn(run, error, storing);
    }
  }
}

function warn({ id: executionId }: Run, error: unknown, { log }: Storing): void {
  log.warn({ executionId, error: describeError(error) }, 'how a run ended could not be stored; trying again');
}

/** May be repeated: what was stored although the answer of the database was lost is found, not stored again. */
async function storeOnce(run: Run, ended: Ended, { pool, key, onRecorded }: Storing): Promise<Stored> {
  const own = { executionId: run.id, outcome: ended.outcome };
  if (key && !(await settleClaim(pool, run, { ...ended, key: key.key }))) return (await readStored(pool, key)) ?? own;
  if (!key) await recordRun(pool, run, ended);
  onRecorded();
  return own;
}
