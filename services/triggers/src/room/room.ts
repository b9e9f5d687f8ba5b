import { memoize, type Logger } from '@drawbridge/rpc';
import { type Pool } from 'pg';
import { type Bounds, hasRoom, type Kept, MOST, sumOf } from './bounds.js';

/** Looked up so seldom: to count what waits costs what there is, and in between each process counts what it adds. */
const MEASURE_MS = 5_000;
const SAY_MS = 60_000;

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

interface Source {
  id: string;
  orgId: string;
}

export interface Room {
  /** Whether a source, and its organization, may have so much more waiting; if so, it is counted. */
  take(source: Source, more: Bounds): Promise<boolean>;
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
  const measure = memoize({ ttlMs: MEASURE_MS }, (orgId) => measureKept(pool, orgId, most.ofOrganization.rows));
  const say = memoize({ ttlMs: SAY_MS }, async (orgId, about: object) => {
    log.warn({ orgId, ...about }, 'an organization has as many events waiting as it may; more are refused');
    return true;
  });
  return {
    async take({ id: sourceId, orgId }, more) {
      const { all, sources } = await measure(orgId);
      const its = (sources[sourceId] ??= nothing());
      if (!hasRoom({ all, its }, more, most)) {
        refused++;
        await say(orgId, { sourceId, count: all.waiting.rows, dead: all.dead.rows, ofSource: its });
        return false;
      }
      for (const kept of [all, its]) kept.waiting = sumOf([kept.waiting, more]);
      return true;
    },

    refusals: () => refused,
  };
}

interface Measured {
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

function nothing(): Kept {
  return { waiting: { rows: 0, bytes: 0 }, dead: { rows: 0, bytes: 0 } };
}
