import { memoize } from '@drawbridge/rpc';
import { type Pool } from 'pg';
import { type Bounds, type Kept, sumOf } from './bounds.js';

/** Looked up so seldom: to count what waits costs what there is, and in between each process counts what it adds. */
const EVERY_MS = 5_000;
/** Whoever asks while it is looked up again goes by what was known, for so long. */
const KNOWN_MS = 60_000;
/** Organizations. */
const MAX_KNOWN = 1_000;

/** By indexes that have the bytes, but of what was not looked into: there is little of it, unless nobody looks. */
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
  /** Counted, of an organization. */
  rows: number;
  everyMs?: number;
}

/** What is kept of an organization, of late. With many dead letters to look it up takes some tenths of a second: nobody waits for that but the first. */
export function measures({ pool, rows, everyMs = EVERY_MS }: Needs): (orgId: string) => Promise<Measured> {
  const look = memoize({ ttlMs: everyMs }, (orgId) => measureKept(pool, orgId, rows));
  const places = memoize({ ttlMs: KNOWN_MS, max: MAX_KNOWN }, async (): Promise<{ known?: Measured }> => ({}));
  return async (orgId) => {
    const place = await places(orgId);
    const looked = look(orgId).then((measured) => (place.known = measured));
    if (!place.known) return looked;
    // Who asks next asks again.
    looked.catch(() => undefined);
    return place.known;
  };
}

/** Whoever counts on counts in it. */
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
