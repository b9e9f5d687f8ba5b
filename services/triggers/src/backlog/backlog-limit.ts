import { type LogFields, type Logger, memoize } from '@drawbridge/rpc';
import { type Pool } from 'pg';
import { type Source } from '../gen/prisma/client.js';

const SAY_MS = 60_000;

interface Needs {
  pool: Pool;
  log: Logger;
  most?: typeof MOST;
  measureMs?: number;
}

export type BacklogLimit = ReturnType<typeof backlogLimit>;

/**
 * Returns the backlog limit, which limits the stored events of each organization, because a receiver that is down for days must not fill the shared
 * disk.
 */
export function backlogLimit({ pool, log, most = MOST, measureMs }: Needs) {
  let refused = 0;
  const measure = measures(pool, most.ofOrganization.rows, measureMs);
  const say = memoize({ ttlMs: SAY_MS }, async (orgId, about: LogFields) => {
    log.warn({ orgId, ...about }, 'the backlog limit of an organization is reached; further events are rejected');
    return true;
  });
  return {
    /** Returns true and counts `more` as stored, if the backlog limits of the trigger source and its organization allow it. */
    async take({ id: sourceId, orgId }: Pick<Source, 'id' | 'orgId'>, more: Bounds): Promise<boolean> {
      const { all, sources } = await measure(orgId);
      const its = (sources[sourceId] ??= nothing());
      if (!isWithinLimits({ all, its }, more, most)) {
        refused++;
        const [count, dead, kept] = [all.waiting.rows, all.dead.rows, all.kept.rows];
        await say(orgId, { sourceId, count, stored: { dead, kept, ofSource: its } });
        return false;
      }
      const state = stateOfNew(its);
      for (const stored of [all, its]) stored[state] = sumOf([stored[state], more]);
      return true;
    },

    /** Returns the number of rejected events and polls since this process started. */
    refusals: (): number => refused,
  };
}

/** An amount of stored data. */
export interface Bounds {
  /** Number of events, and of received requests that are not processed yet. */
  rows: number;
  bytes: number;
}

/**
 * The stored events by state. `waiting` events are not delivered yet. `dead` events are dead letters, which are stored until they are redelivered or
 * expire. `kept` events belong to triggers without a callback.
 */
interface StoredEvents {
  waiting: Bounds;
  dead: Bounds;
  kept: Bounds;
}

/**
 * The backlog limits. An organization can store this amount of waiting events, the same amount of dead letters, and the same amount of events of
 * triggers without a callback. With separate limits, triggers without a callback cannot stop the deliveries of other triggers. The limit of a source
 * covers all states together, so one failing receiver leaves most of the limit of the organization to other sources. If an organization has reached
 * its limit of dead letters, sources with at most a `few` dead letters can continue until the organization has twice as many.
 */
const MOST = {
  ofOrganization: { rows: 200_000, bytes: 1024 * 1024 * 1024 },
  ofSource: { rows: 50_000, bytes: 256 * 1024 * 1024 },
  few: { rows: 1_000, bytes: 8 * 1024 * 1024 },
};

/** Returns true if the backlog limits allow a source to store more. */
function isWithinLimits(
  { all, its }: { all: StoredEvents; its: StoredEvents },
  more: Bounds,
  { ofOrganization, ofSource, few }: typeof MOST,
): boolean {
  if (!fits(sumOf([its.waiting, its.dead, its.kept]), more, ofSource)) return false;
  if (!fits(all[stateOfNew(its)], more, ofOrganization)) return false;
  if (fits(all.dead, more, ofOrganization)) return true;
  return fits(its.dead, more, few) && fits(all.dead, more, sumOf([ofOrganization, ofOrganization]));
}

/**
 * Returns the state that new events of a source will have. A source with kept events has no callback. Until its first kept event is measured, its
 * events count as waiting.
 */
function stateOfNew(its: StoredEvents): 'kept' | 'waiting' {
  return its.kept.rows > 0 ? 'kept' : 'waiting';
}

/** Returns true if at least one more row and all additional bytes fit into the limit. */
function fits(stored: Bounds, more: Bounds, most: Bounds): boolean {
  return stored.rows < most.rows && stored.bytes + more.bytes <= most.bytes;
}

function sumOf(parts: readonly Bounds[]): Bounds {
  const sum = (of: keyof Bounds): number => parts.reduce((before, part) => before + part[of], 0);
  return { rows: sum('rows'), bytes: sum('bytes') };
}

/**
 * Minimum time, in milliseconds, between two measurements of an organization, because the cost of counting grows with the backlog. In between, each
 * process adds what it accepts.
 */
const EVERY_MS = 5_000;
/** Time, in milliseconds, for which the previous measurement is used while a new measurement runs. */
const KNOWN_MS = 60_000;
/** Maximum number of organizations with a cached measurement. */
const MAX_KNOWN = 1_000;

/**
 * Measures the backlog. The sizes of events are read from indexes. The sizes of unprocessed requests are read from their rows, which are few unless
 * processing stops.
 */
const MEASURE = {
  name: 'measure-kept',
  text: `
    SELECT "sourceId", state, sum(rows)::int AS rows, coalesce(sum(bytes), 0)::float8 AS bytes FROM (
      SELECT source_id AS "sourceId", 'waiting' AS state, count(*) AS rows, sum(bytes) AS bytes FROM (
        SELECT source_id, bytes FROM triggers.deliveries
        WHERE org_id = $1 AND status IN ('pending', 'retrying') LIMIT $2) AS open GROUP BY source_id
      UNION ALL SELECT source_id, 'dead', count(*), sum(bytes) FROM (
        SELECT source_id, bytes FROM triggers.deliveries
        WHERE org_id = $1 AND status = 'failed' LIMIT 2 * $2) AS dead GROUP BY source_id
      UNION ALL SELECT source_id, 'kept', count(*), sum(bytes) FROM (
        SELECT source_id, bytes FROM triggers.deliveries
        WHERE org_id = $1 AND status = 'kept' LIMIT $2) AS kept GROUP BY source_id
      UNION ALL SELECT source_id, 'waiting', count(*), sum(octet_length(body)) FROM (
        SELECT source_id, body FROM triggers.inbound WHERE org_id = $1 LIMIT $2) AS unread GROUP BY source_id) AS stored
    GROUP BY "sourceId", state`,
};

/**
 * Returns a function that returns the recently measured backlog of an organization, of which at most `rows` rows of each state are counted. Measuring
 * many dead letters takes some tenths of a second. Only the first caller waits for it.
 */
function measures(pool: Pool, rows: number, everyMs = EVERY_MS): (orgId: string) => Promise<Measured> {
  const look = memoize({ ttlMs: everyMs }, (orgId) => measureStored(pool, orgId, rows));
  const places = memoize({ ttlMs: KNOWN_MS, max: MAX_KNOWN }, async (): Promise<{ known?: Measured }> => ({}));
  return async (orgId) => {
    const place = await places(orgId);
    const looked = look(orgId).then((measured) => (place.known = measured));
    if (!place.known) return looked;
    // Ignores the failure, because the next call measures again.
    looked.catch(() => undefined);
    return place.known;
  };
}

/** The measured backlog. The process adds to it what it accepts. */
interface Measured {
  all: StoredEvents;
  sources: Record<string, StoredEvents>;
}

async function measureStored(pool: Pool, orgId: string, rows: number): Promise<Measured> {
  const answer = await pool.query<Bounds & { sourceId: string; state: keyof StoredEvents }>({
    ...MEASURE,
    values: [orgId, rows],
  });
  const measured: Measured = { all: nothing(), sources: {} };
  for (const { sourceId, state, ...more } of answer.rows) {
    for (const stored of [measured.all, (measured.sources[sourceId] ??= nothing())])
      stored[state] = sumOf([stored[state], more]);
  }
  return measured;
}

function nothing(): StoredEvents {
  return { waiting: { rows: 0, bytes: 0 }, dead: { rows: 0, bytes: 0 }, kept: { rows: 0, bytes: 0 } };
}
