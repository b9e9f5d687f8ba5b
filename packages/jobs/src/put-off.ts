import { describeError, type Logger } from '@drawbridge/rpc';
import type { Job } from 'graphile-worker';
import type { Pool } from 'pg';
import { receiverOf } from './fair-claims.js';
import { query, type Statements } from './statements.js';

/** A receiver that takes so long gets through few jobs. */
const SLOW_MS = 2_000;
/** How often what was put off is looked for once its receiver is quick again. */
const BRING_BACK_MS = 1_000;
/** Receivers whose jobs this process put off; beyond, theirs come back when it is time. */
const MAX_KNOWN = 1_000;

interface Options {
  pool: Pool;
  sql: Pick<Statements, 'putOff' | 'bringBack'>;
  log: Logger;
}

/** Told of each job how long it took. */
export type NoteTime = (job: Pick<Job, 'flags'>, tookMs: number) => Promise<void>;

/**
 * After a job that took long: of what waits for the same slow receiver only some stays due, and the rest is put off, each to before its turn
 * can come. Who asks for a job looks at all that is due before it, and a receiver that hangs for hours may have hundreds of thousands waiting.
 * One that is quick again has what it was to wait for brought back, some at a time.
 */
export function slowReceivers({ pool, sql, log }: Options): NoteTime {
  /** When their jobs are looked for next, on the monotonic clock. */
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
