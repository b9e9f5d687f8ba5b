import { describeError, type Logger } from '@drawbridge/rpc';
import type { Job } from 'graphile-worker';
import type { Pool } from 'pg';
import { receiverOf } from './fair-claims.js';
import { query, type Statements } from './statements.js';

/** A receiver that takes so long gets through few jobs. */
const SLOW_MS = 2_000;

interface Options {
  pool: Pool;
  sql: Statements;
  log: Logger;
}

/**
 * After a job that took so long: of what waits for the same slow receiver only some stays due, and the rest is put off for some minutes. Who
 * asks for a job looks at all that is due before it, and a receiver that hangs for hours may have hundreds of thousands waiting.
 */
export async function putOffSlow({ flags }: Pick<Job, 'flags'>, tookMs: number, options: Options): Promise<void> {
  const receiver = receiverOf(flags);
  if (receiver === undefined || tookMs < SLOW_MS) return;
  const { pool, sql, log } = options;
  await query(pool, sql.putOff, receiver).catch((error: unknown) => {
    log.warn({ error: describeError(error) }, 'what waits for a slow receiver could not be put off');
  });
}
