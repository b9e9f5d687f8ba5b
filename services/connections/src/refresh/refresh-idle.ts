import { repeat } from '@drawbridge/events';
import { type Background, type Logger } from '@drawbridge/rpc';
import { type Pool } from 'pg';
import { type Refresher, type Worn } from './refresher.js';
import { FIND_IDLE } from './statements.js';

const EVERY_MS = 30_000;
/** Of one turn, and of them at once. */
const BATCH = 1_000;
const AT_ONCE = 10;

/** Keeps connections alive that nobody uses: refresh tokens end, too, when they are not used for long. */
export function idleRefresh({ pool, refresher, log }: { pool: Pool; refresher: Refresher; log: Logger }): Background {
  return repeat({ name: 'refreshing idle connections', everyMs: EVERY_MS, log }, async () => {
    const { rows } = await pool.query<Worn>(FIND_IDLE, [BATCH]);
    const left = [...rows];
    const work = async (): Promise<void> => {
      // Whatever comes of one stands in its row.
      for (let worn = left.shift(); worn; worn = left.shift()) await refresher.renew(worn).catch(() => undefined);
    };
    await Promise.all(Array.from({ length: AT_ONCE }, work));
  });
}
