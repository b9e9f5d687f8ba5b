import { referenceClock } from '@drawbridge/rpc';
import type pg from 'pg';

/** Reads the database's clock, which all processes share. Throws while PostgreSQL is unavailable. */
export async function readClock(pool: pg.Pool): Promise<void> {
  const sentAt = performance.now();
  const { rows } = await pool.query<{ epoch_ms: number }>(
    'SELECT (extract(epoch FROM clock_timestamp()) * 1000)::float8 AS epoch_ms',
  );
  referenceClock.learn({ epochMs: rows[0]!.epoch_ms, sentAt, receivedAt: performance.now() });
}
