import { memoize, type Logger } from '@drawbridge/rpc';
import { type Pool } from 'pg';

/** What came in and has not arrived at its callback, from its intake until it does, or is dropped. */
export interface Bounds {
  /** Events, and requests that nobody has looked into yet. */
  rows: number;
  bytes: number;
}

/** Of one organization, and of that of one source: what nobody takes of one, dead letters among it, leaves the others most of the room. */
const MOST = {
  ofOrganization: { rows: 200_000, bytes: 1024 * 1024 * 1024 },
  ofSource: { rows: 50_000, bytes: 256 * 1024 * 1024 },
};
/** Looked up so seldom: to count what waits costs what there is, and in between each process counts what it adds. */
const MEASURE_MS = 5_000;
const SAY_MS = 60_000;

/** By indexes that have the bytes, but of what was not looked into: there is little of it, unless nobody looks. */
const MEASURE = {
  name: 'measure-waiting',
  text: `
    SELECT "sourceId", sum(rows)::int AS rows, coalesce(sum(bytes), 0)::float8 AS bytes FROM (
      SELECT source_id AS "sourceId", count(*) AS rows, sum(bytes) AS bytes FROM (
        SELECT source_id, bytes FROM triggers.deliveries
        WHERE org_id = $1 AND status IN ('pending', 'retrying', 'failed') LIMIT $2) AS open GROUP BY source_id
      UNION ALL SELECT source_id, count(*), sum(octet_length(body)) FROM (
        SELECT source_id, body FROM triggers.inbound WHERE org_id = $1 LIMIT $2) AS unread GROUP BY source_id) AS waiting
    GROUP BY "sourceId"`,
};

interface Source {
  id: string;
  orgId: string;
}

export interface Room {
  /** Whether a source, and its organization, may have so many bytes more waiting; if so, they are counted. */
  take(source: Source, bytes: number): Promise<boolean>;
  /** How often it was not so, since this process began. */
  refusals(): number;
}

interface Needs {
  pool: Pool;
  log: Logger;
  most?: typeof MOST;
}

/** How much of what comes in is kept of each organization: a receiver that is away for days does not fill the disk of all. */
export function room({ pool, log, most = MOST }: Needs): Room {
  let refused = 0;
  const measure = memoize({ ttlMs: MEASURE_MS }, async (orgId) => {
    const { rows } = await pool.query<Bounds & { sourceId: string }>({
      ...MEASURE,
      values: [orgId, most.ofOrganization.rows],
    });
    return { all: sumOf(rows), sources: Object.fromEntries(rows.map(({ sourceId, ...its }) => [sourceId, its])) };
  });
  const say = memoize({ ttlMs: SAY_MS }, async (orgId, about: object) => {
    log.warn({ orgId, ...about }, 'an organization has as many events waiting as it may; more are refused');
    return true;
  });
  return {
    async take({ id: sourceId, orgId }, bytes) {
      const { all, sources } = await measure(orgId);
      const its = (sources[sourceId] ??= { rows: 0, bytes: 0 });
      if (!fits(all, bytes, most.ofOrganization) || !fits(its, bytes, most.ofSource)) {
        refused++;
        await say(orgId, { sourceId, count: all.rows, countOfSource: its.rows });
        return false;
      }
      for (const waiting of [all, its]) {
        waiting.rows += 1;
        waiting.bytes += bytes;
      }
      return true;
    },

    refusals: () => refused,
  };
}

function fits(waiting: Bounds, bytes: number, most: Bounds): boolean {
  return waiting.rows < most.rows && waiting.bytes + bytes <= most.bytes;
}

function sumOf(parts: readonly Bounds[]): Bounds {
  const sum = (of: keyof Bounds): number => parts.reduce((before, part) => before + part[of], 0);
  return { rows: sum('rows'), bytes: sum('bytes') };
}
