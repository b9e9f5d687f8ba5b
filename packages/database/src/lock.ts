import { requireInTime } from '@drawbridge/rpc';
import type { PoolClient } from 'pg';

/** A transaction of Prisma, or a client of the pool after BEGIN. */
export type LockingTransaction =
  Pick<PoolClient, 'query'> | { $executeRawUnsafe(sql: string, ...values: unknown[]): PromiseLike<number> };

/**
 * The timeout ends the transaction of a process that stops responding while it has the lock, before the transactions that wait for the lock time out
 * (5 s).
 */
const LOCK = `
  SELECT set_config('idle_in_transaction_session_timeout', '4s', true), pg_advisory_xact_lock(hashtextextended($1, 0))`;

/** Takes the named lock in this database until `tx` ends. Call it before you lock any row. Throws TIMEOUT if the deadline of the call has passed. */
export async function lock(tx: LockingTransaction, name: string): Promise<void> {
  requireInTime();
  await ('query' in tx ? tx.query(LOCK, [name]) : tx.$executeRawUnsafe(LOCK, name));
}
