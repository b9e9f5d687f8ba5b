import { type Pool } from 'pg';
import { type OpenDelivery } from './callback.js';

/**
 * Lease of an attempt. When it expires, another process repeats the attempt. It is longer than an attempt takes that was sent in time and recorded.
 */
export const LEASE_SECONDS = 25;
/**
 * Time from the claim until the callback must be sent; later it is returned to the queue. Sending takes up to 15 s, which leaves 5 s of the lease to
 * record the end.
 */
const SEND_WITHIN_MS = 5_000;
/** Limits the payloads of one claim; a larger one is claimed alone. The size on disk would not do, because PostgreSQL compresses payloads. */
const BYTES = 256 * 1_024;

const OPEN = "status IN ('pending', 'retrying') AND NOT held";

/** An attempt whose end was never recorded was cut short, most likely by a crash. It does not count towards the ten tries. */
const BEGIN = `UPDATE triggers.deliveries SET attempt = attempt + 1, updated_at = now(), in_flight = true,
  tries = CASE WHEN in_flight THEN greatest(tries, 1) ELSE tries + 1 END,
  due_at = now() + interval '${LEASE_SECONDS} seconds'`;

/** Returns everything that the attempts need. */
const BEGUN = `
      RETURNING id, org_id, workspace_id, source_id, event_id, attempt, tries, created_at, asked_at)
    SELECT d.id, d.org_id AS "orgId", d.workspace_id AS "workspaceId", d.attempt, d.tries, d.event_id AS "eventId",
      e.payload::text AS payload, coalesce(e.simulate, false) AS simulate, coalesce(e.created_at, d.created_at) AS "createdAt",
      d.source_id AS "sourceId", s.integration_name AS "integrationName",
      s.integration_alias AS "integrationAlias", s.trigger_name AS "triggerName", s.end_user_id AS "endUserId",
      s.callback_url AS "callbackUrl", s.callback_metadata AS "callbackMetadata",
      coalesce(s.status <> 'disabling' OR d.asked_at >= s.suspended_at, false) AS "isWanted"`;
const FROM_BEGUN = `
    FROM begun d LEFT JOIN triggers.events e ON e.id = d.event_id LEFT JOIN triggers.sources s ON s.id = d.source_id`;

/**
 * Claims due deliveries of an organization: the oldest of each source after the cursor, up to the free slots of the source. The statement reads no
 * further into the backlog of a source than that.
 */
const CLAIM = {
  name: 'claim-callbacks',
  text: `
    WITH RECURSIVE source(id) AS (
      SELECT (SELECT source_id FROM triggers.deliveries WHERE org_id = $1 AND source_id > $3 AND ${OPEN} ORDER BY source_id LIMIT 1)
      UNION ALL
      SELECT (SELECT source_id FROM triggers.deliveries WHERE org_id = $1 AND source_id > source.id AND ${OPEN} ORDER BY source_id LIMIT 1)
      FROM source WHERE source.id IS NOT NULL),
    due AS MATERIALIZED (
      SELECT found.* FROM source, LATERAL (
        SELECT id, due_at, bytes FROM triggers.deliveries
        WHERE org_id = $1 AND source_id = source.id AND due_at <= now() AND ${OPEN}
        ORDER BY due_at, id LIMIT greatest(0, coalesce(($6::jsonb ->> source.id::text)::int, $5::int) - coalesce(($4::jsonb ->> source.id::text)::int, 0))
        FOR UPDATE SKIP LOCKED) found
      LIMIT $2),
    sized AS (SELECT id, bytes, sum(bytes) OVER (ORDER BY due_at, id) AS together FROM due),
    begun AS (${BEGIN}
      WHERE org_id = $1 AND id IN (SELECT id FROM sized WHERE together - bytes < ${BYTES})${BEGUN},
      (SELECT count(*)::int FROM due) AS found${FROM_BEGUN} ORDER BY d.id`,
};

/** Claims one redelivery, unless another process has claimed it meanwhile. */
const CLAIM_ONE = {
  name: 'claim-callback',
  text: `WITH begun AS (${BEGIN} WHERE org_id = $1 AND id = $2 AND due_at <= now() AND ${OPEN}${BEGUN}${FROM_BEGUN}`,
};

export interface Wish {
  orgId: string;
  many: number;
  /** Most callbacks in flight for one source, including those claimed now. */
  ofSource: number;
  /** Lower limits, by source. */
  limits: ReadonlyMap<string, number>;
  /** Callbacks in flight in this process, by source. */
  busy: ReadonlyMap<string, number>;
  /** The cursor: only sources with a greater id are claimed. */
  after: string;
}

export interface Claimed {
  /** The oldest first. */
  begun: OpenDelivery[];
  /** True if more was due than fits in one claim. */
  isCut: boolean;
}

export async function claim(pool: Pool, { orgId, many, after, busy, ofSource, limits }: Wish): Promise<Claimed> {
  const sendBy = performance.now() + SEND_WITHIN_MS;
  const least = [...limits].map(([id, limit]) => [id, Math.min(limit, ofSource)]);
  const values = [orgId, many, after, toJson(busy), ofSource, toJson(least)];
  const { rows } = await pool.query<Row & { found: number }>({ ...CLAIM, values });
  const begun = rows.map(({ found: _, ...row }) => ({ ...row, sendBy }));
  return { begun, isCut: begun.length < (rows[0]?.found ?? 0) };
}

/** Claims one delivery, regardless of the backlog before it and of the circuit breaker of its receiver. */
export async function claimOne(
  pool: Pool,
  { orgId, id }: { orgId: string; id: string },
): Promise<OpenDelivery | undefined> {
  const sendBy = performance.now() + SEND_WITHIN_MS;
  const { rows } = await pool.query<Row>({ ...CLAIM_ONE, values: [orgId, id] });
  return rows[0] && { ...rows[0], sendBy };
}

function toJson(entries: Iterable<readonly (string | number)[]>): string {
  return JSON.stringify(Object.fromEntries(entries));
}

type Row = Omit<OpenDelivery, 'sendBy'>;
