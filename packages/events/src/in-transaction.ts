import { isCutOff, makeChange } from '@drawbridge/rpc';
import type { Pool, PoolClient, QueryConfig, QueryResultRow } from 'pg';

/**
 * Runs `work` in one transaction on a separate connection of a pool of openDatabase. A failure rolls back and is rethrown. In a call that may change
 * something, throws an error with the reason outcome_unknown if the connection is lost during the commit.
 */
export async function inTransaction<T>(pool: Pool, work: (client: PoolClient) => Promise<T>): Promise<T> {
  const client = await pool.connect();
  let broken = false;
  try {
    await client.query('BEGIN');
    const result = await work(client);
    await makeChange(client.query('COMMIT'), isCutOff);
    return result;
  } catch (error) {
    await client.query('ROLLBACK').catch(() => {
      broken = true;
    });
    throw error;
  } finally {
    client.release(broken);
  }
}

/**
 * Runs `work` in one transaction with the rows that `find` returns. Locks these rows, and omits rows that another transaction has locked. The
 * transaction begins only after `find` has returned rows without locks, so that background work that usually finds nothing takes one statement instead
 * of three. Returns undefined without rows.
 */
export async function withLockedRows<Row extends QueryResultRow, Result>(
  pool: Pool,
  find: QueryConfig,
  work: (client: PoolClient, rows: Row[]) => Promise<Result>,
): Promise<Result | undefined> {
  const { rows: found } = await pool.query(find);
  if (found.length === 0) return undefined;
  return inTransaction(pool, async (client) => {
    const { rows } = await client.query<Row>({ ...find, text: `${find.text} FOR UPDATE SKIP LOCKED` });
    return work(client, rows);
  });
}

/** Runs `work` in a savepoint of `tx`. A failure rolls back its changes and is rethrown. The transaction stays usable. */
export async function inSavepoint<T>(tx: PoolClient, work: () => Promise<T>): Promise<T> {
  await tx.query('SAVEPOINT own');
  try {
    const result = await work();
    await tx.query('RELEASE SAVEPOINT own');
    return result;
  } catch (error) {
    await tx.query('ROLLBACK TO SAVEPOINT own; RELEASE SAVEPOINT own');
    throw error;
  }
}
