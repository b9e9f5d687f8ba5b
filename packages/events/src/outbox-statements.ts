import { MAX_BATCH, MAX_BYTES, RECORD_OVERHEAD_BYTES } from './bus.js';

/** Maximum number of organizations per round, and of rows to read per organization. */
export const SHARES = { organizations: 100, rows: 100 };

/** An unpublished row of an outbox. */
export interface WaitingRow {
  id: string;
  orgId: string;
  /** Null if the event is too large for the bus. */
  envelope: Buffer | null;
  bytes: number;
}

export interface Waiting extends WaitingRow {
  /** The number of rows that this round read. */
  seen: number;
  /** The last organization that this round read, or null if there are no further organizations. */
  nextAfter: string | null;
}

export type OutboxStatements = ReturnType<typeof outboxStatements>;

export const outboxStatements = (schema: string) => ({
  // There is one lock per outbox, because several services may share a database with separate schemas. The lock is a separate statement, so that the
  // following read includes the changes of the previous lock holder.
  lock: `SELECT pg_try_advisory_xact_lock(hashtextextended('outbox ${schema}', 0)) AS held`,
  // `read` uses the partial indexes, so that published rows add no cost.
  read: { name: `read-outbox-${schema}`, text: readFairly(schema) },
  mark: `UPDATE ${schema}.outbox SET published_at = now() WHERE id = ANY($1::uuid[])`,
  toDeadLetters: `
    WITH dead AS (DELETE FROM ${schema}.outbox WHERE id = $1 RETURNING id, type, org_id, envelope, created_at)
    INSERT INTO ${schema}.dead_events (id, type, org_id, envelope, created_at, reason) SELECT dead.*, $2 FROM dead`,
});

/**
 * Selects the oldest rows of each organization from $1 on, except organizations in $2: first one row of each organization, then the second row of
 * each and so on, up to the row and byte limits of a batch. The rows of an organization stay in the order in which they were written.
 */
function readFairly(schema: string): string {
  const waits = `FROM ${schema}.outbox AS r WHERE published_at IS NULL`;
  const bytes = `octet_length(envelope) + ${RECORD_OVERHEAD_BYTES}`;
  return `
    WITH RECURSIVE organizations AS (
      (SELECT org_id ${waits} AND org_id >= $1 ORDER BY org_id LIMIT 1)
      UNION ALL
      SELECT next.org_id FROM organizations CROSS JOIN LATERAL (
        SELECT org_id ${waits} AND r.org_id > organizations.org_id ORDER BY org_id LIMIT 1) AS next),
    served AS MATERIALIZED (
      SELECT org_id FROM organizations WHERE org_id <> ALL ($2::uuid[]) LIMIT ${SHARES.organizations}),
    waiting AS MATERIALIZED (
      SELECT its.*, row_number() OVER (PARTITION BY its.org_id ORDER BY its.created_at, its.id) AS place
      FROM served CROSS JOIN LATERAL (
        SELECT id, r.org_id, created_at, ${bytes} AS bytes ${waits} AND r.org_id = served.org_id
        ORDER BY created_at, id LIMIT ${SHARES.rows}) AS its),
    counted AS (
      SELECT *, sum(CASE WHEN bytes > ${MAX_BYTES.event} THEN 0 ELSE bytes END) OVER in_order AS total FROM waiting
      WINDOW in_order AS (ORDER BY place, org_id ROWS UNBOUNDED PRECEDING)
      ORDER BY place, org_id LIMIT ${MAX_BATCH})
    SELECT id, counted.org_id AS "orgId", bytes,
      (SELECT envelope ${waits} AND r.id = counted.id AND bytes <= ${MAX_BYTES.event}) AS envelope,
      (SELECT count(*)::int FROM waiting) AS seen,
      (SELECT org_id FROM served OFFSET ${SHARES.organizations - 1}) AS "nextAfter"
    FROM counted WHERE total <= ${MAX_BYTES.batch} OR total = bytes OR bytes > ${MAX_BYTES.event}
    ORDER BY place, counted.org_id`;
}
