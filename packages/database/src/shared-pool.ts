import pg from 'pg';
import { readClock } from './read-clock.js';

/** Of a process, whatever runs in it: more make PostgreSQL slower on few processors, and its connections are few. */
const SIZE = 10;

/**
 * No statement may name a table without its schema: services of one process share connections. A statement ends before the
 * call that waits for it (10 s), here where the server can't. An outbox relay may hold its transaction while it publishes.
 */
const SESSION = {
  options: '-c search_path=',
  statement_timeout: 10_000,
  lock_timeout: 5_000,
  idle_in_transaction_session_timeout: 60_000,
  query_timeout: 12_000,
};
const LINE = {
  connectionTimeoutMillis: 5_000,
  idleTimeoutMillis: 10_000,
  keepAlive: true,
  keepAliveInitialDelayMillis: 10_000,
};

/** The clock is read as often, to notice that the machine was suspended. */
const CLOCK_MS = 5_000;

interface Shared {
  pool: pg.Pool;
  clock: NodeJS.Timeout;
  users: number;
}

const shared = new Map<string, Shared>();

/** This process's pool on a database: one, however many services use it. It ends when the last of them has left. */
export function acquirePool(url: string): { pool: pg.Pool; leave(): Promise<void> } {
  const its = shared.get(url) ?? openShared(url);
  shared.set(url, its);
  its.users += 1;
  return {
    pool: its.pool,
    async leave() {
      its.users -= 1;
      if (its.users > 0) return;
      shared.delete(url);
      clearInterval(its.clock);
      await its.pool.end();
    },
  };
}

function openShared(url: string): Shared {
  const pool = openPool(url);
  const clock = setInterval(() => void readClock(pool).catch(ignore), CLOCK_MS).unref();
  return { pool, clock, users: 0 };
}

function openPool(url: string): pg.Pool {
  const pool = new pg.Pool({ connectionString: url, max: SIZE, ...SESSION, ...LINE });
  // A connection that breaks while nothing is asked of it says so by an event, idle in the pool or held by a transaction.
  // Unheard, that would end the process; the next query opens another one, or says UNAVAILABLE.
  pool.on('error', ignore).on('connect', (client) => client.on('error', ignore));
  return pool;
}

function ignore(): void {}
