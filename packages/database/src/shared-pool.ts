import { type Metric, referenceClock } from '@drawbridge/rpc';
import pg from 'pg';
import { traceQueries } from './trace-queries.js';

/**
 * Maximum number of connections per process, regardless of its services. More connections would slow down PostgreSQL on few processors, and its
 * number of connections is limited.
 */
const SIZE = 10;

/**
 * Services of one process share connections, so each statement must contain the name of its schema. A statement times out no later than the call that
 * waits for it (10 s). The client ends it if the server cannot. The limit for idle transactions is longer, because an outbox relay has an open
 * transaction while it publishes events.
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
  // A new connection costs PostgreSQL as much as fifty statements (measured), and calls often arrive in bursts.
  idleTimeoutMillis: 30_000,
  keepAlive: true,
  keepAliveInitialDelayMillis: 10_000,
};

/** Interval of clock readings, which also detect that the machine was suspended. */
const CLOCK_MS = 5_000;

interface Shared {
  pool: pg.Pool;
  clock: NodeJS.Timeout;
  users: number;
}

const shared = new Map<string, Shared>();

/** Returns this process's pool for a database. Several services share one pool, which closes when the last service calls `leave`. */
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

/** Counts the connections of this process to all its databases. It is one metric, because several services share a pool. */
export const poolMetrics: Metric = {
  name: 'drawbridge_database_connections',
  help: `Connections to PostgreSQL of this process, at most ${SIZE}: busy or idle, and queries that wait for one (waiting).`,
  type: 'gauge',
  read() {
    const totals = { busy: 0, idle: 0, waiting: 0 };
    for (const { pool } of shared.values()) {
      totals.busy += pool.totalCount - pool.idleCount;
      totals.idle += pool.idleCount;
      totals.waiting += pool.waitingCount;
    }
    return Object.entries(totals).map(([state, value]) => ({ labels: { state }, value }));
  },
};

function openShared(url: string): Shared {
  const pool = openPool(url);
  const clock = setInterval(() => void readClock(pool).catch(ignore), CLOCK_MS).unref();
  return { pool, clock, users: 0 };
}

function openPool(url: string): pg.Pool {
  const pool = new pg.Pool({ connectionString: url, max: SIZE, ...SESSION, ...LINE });
  // An idle connection that fails, in the pool or in a transaction, emits an error event, which without a listener would end the process. The next
  // query opens another connection, or fails with UNAVAILABLE.
  pool.on('error', ignore).on('connect', (client) => {
    client.on('error', ignore);
    traceQueries(client);
  });
  return pool;
}

function ignore(): void {}

/** Reads the database's clock, which all processes share. Throws if PostgreSQL is unavailable. */
export async function readClock(pool: pg.Pool): Promise<void> {
  const sentAt = performance.now();
  const { rows } = await pool.query<{ epoch_ms: number }>(
    'SELECT (extract(epoch FROM clock_timestamp()) * 1000)::float8 AS epoch_ms',
  );
  referenceClock.learn({ epochMs: rows[0]!.epoch_ms, sentAt, receivedAt: performance.now() });
}
