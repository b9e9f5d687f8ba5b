import { repeat, type Repeating } from '@drawbridge/events';
import { pieces } from '@drawbridge/pieces';
import { type Background, type Logger } from '@drawbridge/rpc';
import { type Pool } from 'pg';
import { type Refresher } from './refresher.js';
import { FIND_IDLE } from './statements.js';
import { type Worn } from './take-turn.js';

const EVERY_MS = 30_000;
/** Of one turn of an integration, and of them at once. */
const BATCH = 1_000;
const AT_ONCE = 16;

interface Needs {
  pool: Pool;
  refresher: Refresher;
  log: Logger;
}

/**
 * Keeps connections alive that nobody uses: refresh tokens end, too, when they are not used for long. Each integration by itself: a
 * provider that hangs keeps nobody else's waiting.
 */
export function idleRefresh(needs: Needs): Background {
  // Also of those whose own apps get no refresh tokens: a customer's may.
  const each = Object.values(pieces)
    .filter(({ auth }) => auth?.oauth2)
    .map(({ name }) => ofIntegration(name, needs));
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

function ofIntegration(name: string, { pool, refresher, log }: Needs): Repeating {
  return repeat({ name: `refreshing idle connections of ${name}`, everyMs: EVERY_MS, log }, async (stopping) => {
    for (let found = BATCH; found === BATCH && !stopping.aborted;) {
      const { rows: left } = await pool.query<Worn>({ name: 'find-idle', text: FIND_IDLE, values: [name, BATCH] });
      found = left.length;
      const work = async (): Promise<void> => {
        for (let worn = left.shift(); worn && !stopping.aborted; worn = left.shift()) {
          await refresher.renew(worn).catch(() => undefined); // whatever comes of it stands in its row
        }
      };
      await Promise.all(Array.from({ length: AT_ONCE }, work));
    }
  });
}

const sum = (numbers: number[]): number => numbers.reduce((total, one) => total + one, 0);
