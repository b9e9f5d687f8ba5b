import { setTimeout as sleep } from 'node:timers/promises';
import type { Pool, PoolClient } from 'pg';

const AGAIN_MS = 1_000;

export interface WorkerLock {
  release(): void;
}

/**
 * Signals to other processes that the worker `id` is alive, by a lock on its own connection. The lock ends with the process, even a killed one, and
 * needs no clock. Resolves when the lock is held; rejects while PostgreSQL is unavailable. A broken connection is replaced; until then other
 * processes may take over the worker's jobs.
 */
export async function holdWorkerLock(pool: Pool, lock: string, id: string): Promise<WorkerLock> {
  let ended = false;
  let client: PoolClient | undefined;

  async function hold(): Promise<void> {
    const taken = await pool.connect();
    try {
      await taken.query(lock, [id]);
    } catch (error) {
      taken.release(true);
      throw error;
    }
    client = taken.once('error', () => {
      release();
      void holdAgain();
    });
    if (ended) release();
  }

  async function holdAgain(): Promise<void> {
    while (!ended && !client) await hold().catch(() => sleep(AGAIN_MS, undefined, { ref: false }));
  }

  /** Closes the connection. In the pool it would keep the lock. */
  function release(): void {
    client?.release(true);
    client = undefined;
  }

  await hold();
  return {
    release() {
      ended = true;
      release();
    },
  };
}
