import type { Pool } from 'pg';

const BATCH_ROWS = 1_000;
/** Inboxes store event ids for 7 days. An older event could be applied twice. */
const MAX_AGE = "interval '6 days'";

export interface Replayed {
  /** ISO 8601. At most 6 days ago, even if the request contains an earlier time. */
  from: string;
  /** The number of events that are published again. */
  events: number;
}

/**
 * Marks the published events of a service since `from` as unpublished. The relay publishes them again, now or when it next starts. Each consumer
 * applies only the events that it has not applied before.
 */
export async function replayEvents(pool: Pool, { schema, from }: { schema: string; from: Date }): Promise<Replayed> {
  const { rows } = await pool.query<{ start: Date; end: Date; after: string }>(START, [from]);
  const { start, end, after: first } = rows[0]!;
  const sql = batchOf(schema);
  let events = 0;
  for (let after = first; ;) {
    const batch = await pool.query<{ last: string | null; count: number }>(sql, [after, end]);
    const { last, count } = batch.rows[0]!;
    events += count;
    if (last === null || count < BATCH_ROWS) return { from: start.toISOString(), events };
    after = last;
  }
}

// Ids are UUIDv7, which are ordered by time (RFC 9562, 5.7), so the primary key finds the first event.
const START = `SELECT start, now() AS end,
    (lpad(to_hex(floor(extract(epoch FROM start) * 1000)::bigint), 12, '0') || repeat('0', 20))::uuid AS after
  FROM (SELECT greatest($1::timestamptz, now() - ${MAX_AGE}) AS start) AS asked`;

/** Events that the relay publishes again during this operation are newer than $2, so they are not marked twice. */
function batchOf(schema: string): string {
  return `WITH next AS (
      SELECT id FROM ${schema}.outbox WHERE id > $1 AND published_at <= $2 ORDER BY id LIMIT ${BATCH_ROWS}),
    marked AS (UPDATE ${schema}.outbox SET published_at = NULL WHERE id IN (SELECT id FROM next) RETURNING id)
    SELECT max(id::text) AS last, count(*)::int AS count FROM marked`;
}
