import { isCutOff, makeChange } from '@drawbridge/rpc';
import type { Pool, PoolClient, QueryConfig } from 'pg';

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
 * Runs `work` in one transaction if `probe` returns rows. Background work that usually finds nothing then takes one statement instead of three. The
 * probe must lock no rows, and `work` must find them again, because another process may have taken them. Returns undefined without rows.
 */
export async function inTransactionIfAny<T>(
  pool: Pool,
  probe: QueryConfig,
  work: (client: PoolClient) => Promise<T>,
): Promise<T | undefined> {
  const { rows } = await pool.query(probe);
  return rows.length === 0 ? undefined : inTransaction(pool, work);
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
