import { describeError, type Logger } from '@drawbridge/rpc';
import type { Job } from 'graphile-worker';
import type { Pool } from 'pg';
import { receiverOf } from './fair-claims.js';
import { query, type Statements } from './statements.js';

/** A receiver that takes this long completes few jobs. */
const SLOW_MS = 2_000;
/** Minimum time between attempts to bring back postponed jobs of a receiver that is fast again. */
const BRING_BACK_MS = 1_000;
/** Receivers whose jobs this process has postponed. Beyond the limit, postponed jobs run at their own time. */
const MAX_KNOWN = 1_000;

interface Options {
  pool: Pool;
  sql: Pick<Statements, 'putOff' | 'bringBack'>;
  log: Logger;
}

/** Receives the duration of each job. */
export type NoteTime = (job: Pick<Job, 'flags'>, tookMs: number) => Promise<void>;

/**
 * Postpones jobs of slow receivers. After a slow job, only some jobs for its receiver stay due; the rest is postponed to a time before the receiver
 * can reach them. A claim scans all due jobs before its own, and a receiver that hangs for hours may have hundreds of thousands. When the receiver
 * is fast again, its postponed jobs are brought back in batches.
 */
export function slowReceivers({ pool, sql, log }: Options): NoteTime {
  /** The time of the next attempt to bring back jobs, per receiver, by the monotonic clock. */
  const known = new Map<string, number>();

  async function putOff(receiver: string, tookMs: number): Promise<void> {
    await query(pool, sql.putOff, receiver, tookMs / 1_000);
    if (known.size < MAX_KNOWN) known.set(receiver, 0);
  }

  async function bringBack(receiver: string): Promise<void> {
    const due = known.get(receiver);
    if (due === undefined || performance.now() < due) return;
    known.set(receiver, performance.now() + BRING_BACK_MS);
    const brought = await query(pool, sql.bringBack, receiver);
    if (brought.length === 0) known.delete(receiver);
  }

  return async ({ flags }, tookMs) => {
    const receiver = receiverOf(flags);
    if (receiver === undefined) return;
    try {
      await (tookMs < SLOW_MS ? bringBack(receiver) : putOff(receiver, tookMs));
    } catch (error) {
      log.warn({ error: describeError(error) }, 'what waits for a slow receiver could not be put off, or brought back');
    }
  };
}
