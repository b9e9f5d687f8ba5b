import { memoize, type Logger } from '@drawbridge/rpc';
import { type Pool } from 'pg';

/** Of one organization: what came in and has not arrived at its callback, from its intake until it does, or is dropped. */
export interface Bounds {
  /** Events, and requests that nobody has looked into yet. */
  rows: number;
  bytes: number;
}

const MOST: Bounds = { rows: 200_000, bytes: 1024 * 1024 * 1024 };
/** Looked up so seldom: to count what waits costs what there is, and in between each process counts what it adds. */
const MEASURE_MS = 5_000;
const SAY_MS = 60_000;

/** By indexes that have the bytes, but of what was not looked into: there is little of it, unless nobody looks. */
const MEASURE = {
  name: 'measure-waiting',
  text: `
    SELECT sum(rows)::int AS rows, coalesce(sum(bytes), 0)::float8 AS bytes FROM (
      SELECT count(*) AS rows, sum(bytes) AS bytes FROM (
        SELECT bytes FROM triggers.deliveries WHERE org_id = $1 AND status IN ('pending', 'retrying', 'failed') LIMIT $2) AS open
      UNION ALL SELECT count(*), sum(octet_length(body)) FROM (
        SELECT body FROM triggers.inbound WHERE org_id = $1 LIMIT $2) AS unread) AS waiting`,
};

export interface Room {
  /** Whether an organization may have so many bytes more waiting; if so, they are counted. */
  take(orgId: string, bytes: number): Promise<boolean>;
  /** How often it was not so, since this process began. */
  refusals(): number;
}

/** How much of what comes in is kept of each organization: a receiver that is away for days does not fill the disk of all. */
export function room({ pool, log, most = MOST }: { pool: Pool; log: Logger; most?: Bounds }): Room {
  let refused = 0;
  const measure = memoize({ ttlMs: MEASURE_MS }, async (orgId) => {
    const { rows } = await pool.query<Bounds>({ ...MEASURE, values: [orgId, most.rows] });
    return rows[0]!;
  });
  const say = memoize({ ttlMs: SAY_MS }, async (orgId, count: number) => {
    log.warn({ orgId, count }, 'an organization has as many events waiting as it may; more are refused');
    return true;
  });
  return {
    async take(orgId, bytes) {
      const waiting = await measure(orgId);
      if (waiting.rows >= most.rows || waiting.bytes + bytes > most.bytes) {
        refused++;
        await say(orgId, waiting.rows);
        return false;
      }
      waiting.rows += 1;
      waiting.bytes += bytes;
      return true;
    },

    refusals: () => refused,
  };
}
