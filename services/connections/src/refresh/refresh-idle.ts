import { ApiError } from '@drawbridge/contracts';
import { repeat, type Repeating } from '@drawbridge/events';
import { pieces } from '@drawbridge/pieces';
import { type Background, isOutage, memoize, type Metric } from '@drawbridge/rpc';
import { type Parts } from '../parts.js';
import { type Refresher } from './refresher.js';
import { COUNT_IDLE, FIND_IDLE } from './statements.js';
import { type Worn } from './refresh-credential.js';

const EVERY_MS = 30_000;
/** Maximum number of connections that one round of an integration reads, and of concurrent refreshes. */
const BATCH = 1_000;
const AT_ONCE = 16;

type Needs = Parts & { refresher: Refresher };

/**
 * Refreshes connections that no execution uses, because unused refresh tokens also expire. Each integration has a separate loop, so that a slow
 * provider does not delay other integrations.
 */
export function idleRefresh(needs: Needs): Background {
  const each = refreshable().map((name) => ofIntegration(name, needs));
  return {
    jobs: [
      {
        name: 'refreshing idle connections',
        putAside: () => sum(each.flatMap(({ jobs }) => jobs.map((job) => job.putAside()))),
      },
    ],
    start: () => each.forEach((one) => one.start()),
    stop: async (deadline) => void (await Promise.all(each.map((one) => one.stop(deadline)))),
  };
}

/**
 * Returns the integrations with OAuth. Includes integrations for which the app of the operator receives no refresh tokens, because the app of a
 * customer may receive them.
 */
const refreshable = (): string[] =>
  Object.values(pieces)
    .filter(({ auth }) => auth?.oauth2)
    .map(({ name }) => name);

/** Returns metrics about idle connections that are due for a refresh. */
export function refreshMetrics({ pool }: Pick<Parts, 'pool'>): Metric[] {
  const count = memoize({ ttlMs: 1_000 }, async () => {
    const values = [refreshable()];
    const { rows } = await pool.query<{ many: number; late: number | null }>({
      name: 'count-idle',
      text: COUNT_IDLE,
      values,
    });
    return rows[0]!;
  });
  return [
    {
      name: 'drawbridge_refreshes_due',
      help: 'Unused connections with a refresh token that must be used now, so that it does not expire; at most 100000 are counted.',
      type: 'gauge',
      read: async () => [{ value: (await count('')).many }],
    },
    {
      name: 'drawbridge_refresh_lag_seconds',
      help: 'How long the connection that is due longest has waited for its refresh.',
      type: 'gauge',
      read: async () => [{ value: (await count('')).late ?? 0 }],
    },
  ];
}

function ofIntegration(name: string, { pool, refresher, log }: Needs): Repeating {
  const job = { name: `refreshing idle connections of ${name}`, everyMs: EVERY_MS, log };
  return repeat(job, async (stopping, aside) => {
    for (let found = BATCH; found === BATCH && !stopping.aborted;) {
      const values = [name, BATCH, aside.keys()];
      const { rows: left } = await pool.query<Worn>({ name: 'find-idle', text: FIND_IDLE, values });
      found = left.length;
      const work = async (): Promise<void> => {
        for (let worn = left.shift(); worn && !stopping.aborted; worn = left.shift()) {
          const one = worn;
          await aside.attempt(one.connectionId, () => refresher.renew(one).catch(unlessNoted));
        }
      };
      await Promise.all(Array.from({ length: AT_ONCE }, work));
    }
  });
}

/**
 * Ignores errors of the provider, which the row of the connection records, and outages, after which the refresh is retried. Rethrows any other error,
 * so that the loop skips the row instead of trying it in every round.
 */
function unlessNoted(error: unknown): void {
  if (!(error instanceof ApiError) && !isOutage(error)) throw error;
}

const sum = (numbers: number[]): number => numbers.reduce((total, one) => total + one, 0);
