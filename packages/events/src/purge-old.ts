import type { Pool } from 'pg';

const DAY_MS = 24 * 60 * 60 * 1000;
const AT_ONCE = 5_000;

/**
 * Deletes outbox rows published more than 7 days ago, until when they can be replayed, and inbox rows older than 30
 * days, longer than any topic keeps an event that could come again. Safe to run anywhere, any time.
 */
export async function purgeOld({ pool, schema }: { pool: Pool; schema: string }, now = Date.now()): Promise<void> {
  await purge(pool, statement(`${schema}.outbox`, 'id', 'published_at'), new Date(now - 7 * DAY_MS));
  await purge(pool, statement(`${schema}.inbox`, 'event_id', 'received_at'), new Date(now - 30 * DAY_MS));
}

// Ids are UUIDv7, so the primary key is in order of time: old rows are found without another index.
function statement(table: string, id: string, time: string): string {
  return `DELETE FROM ${table} WHERE ${id} IN (
    SELECT ${id} FROM ${table} WHERE ${id} < $1 AND ${time} < $2 ORDER BY ${id} LIMIT ${AT_ONCE} FOR UPDATE SKIP LOCKED)`;
}

async function purge(pool: Pool, sql: string, before: Date): Promise<void> {
  for (;;) {
    const { rowCount } = await pool.query(sql, [firstIdAt(before), before]);
    if ((rowCount ?? 0) < AT_ONCE) return;
  }
}

/** The lowest UUIDv7 of that millisecond (RFC 9562 §5.7). */
function firstIdAt(time: Date): string {
  const hex = time.getTime().toString(16).padStart(12, '0');
  return `${hex.slice(0, 8)}-${hex.slice(8)}-7000-8000-000000000000`;
}
