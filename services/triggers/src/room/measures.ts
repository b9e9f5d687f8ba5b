import { memoize } from '@drawbridge/rpc';
import { type Pool } from 'pg';
import { type Bounds, type Kept, sumOf } from './bounds.js';

/** The backlog is measured at most this often, because counting takes time in proportion to it. In between, each process adds what it accepts. */
const EVERY_MS = 5_000;
/** The previous measurement is used for this long while a new one is taken. */
const KNOWN_MS = 60_000;
/** Organizations whose measurement is cached. */
const MAX_KNOWN = 1_000;

/** The indexes hold the bytes, except those of unprocessed requests: there are few of these unless processing stops. */
const MEASURE = {
  name: 'measure-kept',
  text: `
    SELECT "sourceId", "isDead", sum(rows)::int AS rows, coalesce(sum(bytes), 0)::float8 AS bytes FROM (
      SELECT source_id AS "sourceId", false AS "isDead", count(*) AS rows, sum(bytes) AS bytes FROM (
        SELECT source_id, bytes FROM triggers.deliveries
        WHERE org_id = $1 AND status IN ('pending', 'retrying') LIMIT $2) AS open GROUP BY source_id
      UNION ALL SELECT source_id, true, count(*), sum(bytes) FROM (
        SELECT source_id, bytes FROM triggers.deliveries
        WHERE org_id = $1 AND status = 'failed' LIMIT 2 * $2) AS dead GROUP BY source_id
      UNION ALL SELECT source_id, false, count(*), sum(octet_length(body)) FROM (
        SELECT source_id, body FROM triggers.inbound WHERE org_id = $1 LIMIT $2) AS unread GROUP BY source_id) AS kept
    GROUP BY "sourceId", "isDead"`,
};

interface Needs {
  pool: Pool;
  /** Limits the rows that are counted for an organization. */
  rows: number;
  everyMs?: number;
}

/**
 * Returns the recent backlog of an organization. With many dead letters, measuring takes some tenths of a second: only the first caller waits for it.
 */
export function measures({ pool, rows, everyMs = EVERY_MS }: Needs): (orgId: string) => Promise<Measured> {
  const look = memoize({ ttlMs: everyMs }, (orgId) => measureKept(pool, orgId, rows));
  const places = memoize({ ttlMs: KNOWN_MS, max: MAX_KNOWN }, async (): Promise<{ known?: Measured }> => ({}));
  return async (orgId) => {
    const place = await places(orgId);
    const looked = look(orgId).then((measured) => (place.known = measured));
    if (!place.known) return looked;
    // The next call measures again.
    looked.catch(() => undefined);
    return place.known;
  };
}

/** Callers add what they accept to these counts. */
export interface Measured {
  all: Kept;
  sources: Record<string, Kept>;
}

async function measureKept(pool: Pool, orgId: string, rows: number): Promise<Measured> {
  const answer = await pool.query<Bounds & { sourceId: string; isDead: boolean }>({
    ...MEASURE,
    values: [orgId, rows],
  });
  const measured: Measured = { all: nothing(), sources: {} };
  for (const { sourceId, isDead, ...more } of answer.rows) {
    const state = isDead ? 'dead' : 'waiting';
    for (const kept of [measured.all, (measured.sources[sourceId] ??= nothing())])
      kept[state] = sumOf([kept[state], more]);
  }
  return measured;
}

export function nothing(): Kept {
  return { waiting: { rows: 0, bytes: 0 }, dead: { rows: 0, bytes: 0 } };
}
