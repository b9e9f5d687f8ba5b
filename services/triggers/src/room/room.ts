import { memoize, type Logger } from '@drawbridge/rpc';
import { type Pool } from 'pg';
import { type Bounds, hasRoom, MOST, sumOf } from './bounds.js';
import { measures, nothing } from './measures.js';

const SAY_MS = 60_000;

interface Source {
  id: string;
  orgId: string;
}

export interface Room {
  /** Returns whether the backlog limits of the source and its organization allow `more`; if so, counts it. */
  take(source: Source, more: Bounds): Promise<boolean>;
  /** Returns how many were refused since this process started. */
  refusals(): number;
}

interface Needs {
  pool: Pool;
  log: Logger;
  most?: typeof MOST;
  measureMs?: number;
}

/** Limits the stored backlog of each organization: a receiver that is down for days must not fill the shared disk. */
export function room({ pool, log, most = MOST, measureMs }: Needs): Room {
  let refused = 0;
  const measure = measures({ pool, rows: most.ofOrganization.rows, everyMs: measureMs });
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
