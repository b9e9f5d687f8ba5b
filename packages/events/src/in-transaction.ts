import { isCutOff, makeChange } from '@drawbridge/rpc';
import type { Pool, PoolClient } from 'pg';

/**
 * Runs `work` in one transaction on a connection of its own; any failure rolls it back and is thrown on. In a call that changes something it
 * throws an error with the reason outcome_unknown where the connection ends during the commit.
 */
export async function inTransaction<T>(pool: Pool, work: (client: PoolClient) => Promise<T>): Promise<T> {
  const client = await pool.connect();
  // A connection that breaks while nothing is asked of it says so by an event, which unheard would end the process.
  // Whatever is asked of it next fails.
  client.on('error', ignore);
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
    client.off('error', ignore);
    client.release(broken);
  }
}

function ignore(): void {}

/** Runs `work` in a savepoint of `tx`: a failure rolls back what it did, is thrown on, and the transaction can go on. */
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
