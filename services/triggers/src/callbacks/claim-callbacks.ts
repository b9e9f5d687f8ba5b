import { NIL_ID } from '@drawbridge/contracts';
import { findReady, type Search, type Target, type Wishes } from '@drawbridge/jobs';
import { type Pool } from 'pg';
import { type OpenDelivery } from './callback.js';

/**
 * Duration of the lease of an attempt, in seconds. When the lease expires, another process repeats the attempt. It is longer than an attempt that is
 * sent and recorded in time.
 */
export const LEASE_SECONDS = 25;
/**
 * Time, in milliseconds after the claim, until which sending must start. Otherwise the delivery returns to the queue. Sending takes up to 15 s, which
 * leaves 5 s of the lease to record the result.
 */
const SEND_WITHIN_MS = 5_000;
/**
 * Maximum size of the payloads of one claim, in bytes. A larger payload is claimed alone. Sizes are stored in a column, because PostgreSQL compresses
 * payloads, so the size on disk is too small.
 */
const BYTES = 256 * 1_024;

const OPEN = "status IN ('pending', 'retrying') AND NOT held";

/**
 * Starts an attempt. If the previous attempt has no recorded result (`in_flight`), a crash probably interrupted it, so it does not count towards the
 * ten tries.
 */
const BEGIN = `UPDATE triggers.deliveries SET attempt = attempt + 1, updated_at = now(), in_flight = true, is_ready = false,
  tries = CASE WHEN in_flight THEN greatest(tries, 1) ELSE tries + 1 END,
  due_at = now() + interval '${LEASE_SECONDS} seconds'`;

/** Returns all columns that an attempt needs. */
const BEGUN = `
      RETURNING id, org_id, workspace_id, source_id, event_id, attempt, tries, created_at, asked_at, bytes)
    SELECT d.id, d.org_id AS "orgId", d.workspace_id AS "workspaceId", d.attempt, d.tries, d.event_id AS "eventId",
      e.payload::text AS payload, coalesce(e.simulate, false) AS simulate, coalesce(e.created_at, d.created_at) AS "createdAt",
      d.source_id AS "sourceId", d.source_id AS target, d.bytes, s.integration_name AS "integrationName",
      s.integration_alias AS "integrationAlias", s.trigger_name AS "triggerName", s.end_user_id AS "endUserId",
      s.callback_url AS "callbackUrl", s.callback_metadata AS "callbackMetadata",
      coalesce(s.status <> 'disabling' OR d.asked_at >= s.suspended_at, false) AS "isWanted"`;
const FROM_BEGUN = `
    FROM begun d LEFT JOIN triggers.events e ON e.id = d.event_id LEFT JOIN triggers.sources s ON s.id = d.source_id`;

/**
 * The condition for a due delivery. Adds a millisecond, because the column rounds to milliseconds, so a row that is due now may have a later time.
 */
const DUE = "due_at <= now() + interval '1 millisecond'";
const READY = `is_ready AND ${OPEN}`;

const FIND = {
  name: 'find-callbacks',
  text: findReady({ table: 'triggers.deliveries', ready: READY, target: 'source_id', type: 'uuid', first: NIL_ID }),
};

/**
 * Claims the oldest ready deliveries of each requested source. Also checks the due time, because the previous version of Drawbridge does not maintain
 * `is_ready`.
 */
const CLAIM = {
  name: 'claim-callbacks',
  text: `
    WITH due AS MATERIALIZED (
      SELECT found.*, place FROM unnest($1::uuid[], $2::uuid[], $3::int[]) WITH ORDINALITY AS wish (org_id, source_id, many, place)
      CROSS JOIN LATERAL (
        SELECT id, due_at, bytes FROM triggers.deliveries
        WHERE org_id = wish.org_id AND source_id = wish.source_id AND ${READY} AND ${DUE}
        ORDER BY due_at, id LIMIT wish.many FOR UPDATE SKIP LOCKED) AS found),
    sized AS (SELECT id, bytes, sum(bytes) OVER (ORDER BY place, due_at, id) AS together FROM due),
    begun AS (${BEGIN}
      WHERE org_id = ANY($1::uuid[]) AND id = ANY(ARRAY(SELECT id FROM sized WHERE together - bytes < ${BYTES}))${BEGUN},
      (SELECT count(*)::int FROM due) AS found${FROM_BEGUN} ORDER BY d.id`,
};

/**
 * Makes due deliveries ready: retries, deliveries of processes that exited, and deliveries of the previous version of Drawbridge. Also returns whether
 * there are ready deliveries, because their notification may have been lost. A subquery instead of EXISTS, because PostgreSQL ignores the ORDER BY of
 * EXISTS, and then may not use the index.
 */
const PROMOTE = {
  name: 'promote-callbacks',
  text: `
    WITH promoted AS (
      UPDATE triggers.deliveries SET is_ready = true WHERE id = ANY(ARRAY(
        SELECT id FROM triggers.deliveries WHERE NOT is_ready AND ${OPEN} AND due_at <= now()
        ORDER BY due_at LIMIT $1 FOR UPDATE SKIP LOCKED)) RETURNING id)
    SELECT many, many > 0 OR (SELECT true FROM triggers.deliveries WHERE ${READY} ORDER BY org_id LIMIT 1) IS NOT NULL AS "hasReady"
    FROM (SELECT count(*)::int AS many FROM promoted) AS counted`,
};

/** Claims one delivery that a user redelivers, unless another process claimed it first. */
const CLAIM_ONE = {
  name: 'claim-callback',
  text: `WITH begun AS (${BEGIN} WHERE org_id = $1 AND id = $2 AND due_at <= now() AND ${OPEN}${BEGUN}${FROM_BEGUN}`,
};

export async function findCallbacks(pool: Pool, search: Search): Promise<Target[]> {
  return (await pool.query<Target>({ ...FIND, values: search })).rows;
}

/** Claims deliveries. `isCut` is true if the size limit of a claim left out some of the due deliveries. */
export async function claim(pool: Pool, wishes: Wishes): Promise<{ jobs: OpenDelivery[]; isCut: boolean }> {
  const sendBy = performance.now() + SEND_WITHIN_MS;
  const { rows } = await pool.query<Row & { found: number }>({ ...CLAIM, values: wishes });
  const jobs = rows.map(({ found: _, ...row }) => ({ ...row, sendBy }));
  return { jobs, isCut: jobs.length < (rows[0]?.found ?? 0) };
}

/** Makes at most `most` due deliveries ready. Returns their number, and whether any deliveries are ready now. */
export async function promote(pool: Pool, most: number): Promise<{ many: number; hasReady: boolean }> {
  return (await pool.query<{ many: number; hasReady: boolean }>({ ...PROMOTE, values: [most] })).rows[0]!;
}

/** Claims one delivery even if a backlog exists or the circuit breaker of its receiver is open. */
export async function claimOne(
  pool: Pool,
  { orgId, id }: { orgId: string; id: string },
): Promise<OpenDelivery | undefined> {
  const sendBy = performance.now() + SEND_WITHIN_MS;
  const { rows } = await pool.query<Row>({ ...CLAIM_ONE, values: [orgId, id] });
  return rows[0] && { ...rows[0], sendBy };
}

type Row = Omit<OpenDelivery, 'sendBy'>;
