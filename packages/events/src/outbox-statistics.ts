import { describeError } from '@drawbridge/rpc';
import { type Pool } from 'pg';
import { type Log } from './bus.js';

/** The shortest time between two updates of the statistics. A long transaction of a backup also makes reads slow, and then an update does not help. */
const INTERVAL_MS = 60_000;

export interface OutboxStatistics {
  /** Records that a read was slow. */
  doubt(): void;
  /** Updates the statistics if a read was slow. Never throws. */
  renew(): Promise<void>;
}

/**
 * Updates PostgreSQL's statistics of an outbox after a slow read. Nearly all rows of an outbox are published, and the others accumulate while Kafka is
 * down. PostgreSQL analyzes a table only after a tenth of its rows has changed. Until then it assumes that no row waits, and chooses a plan that
 * reads the whole backlog once for each organization: for 100,000 events of 10,000 organizations it takes longer than the timeout of a statement.
 */
export function outboxStatistics(pool: Pool, schema: string, log: Log): OutboxStatistics {
  let isDoubtful = false;
  let nextAt = 0;
  return {
    doubt: () => void (isDoubtful = true),
    async renew() {
      if (!isDoubtful || performance.now() < nextAt) return;
      isDoubtful = false;
      nextAt = performance.now() + INTERVAL_MS;
      try {
        await pool.query(`ANALYZE ${schema}.outbox`);
      } catch (error) {
        log.warn({ error: describeError(error) }, 'could not update the statistics of the outbox');
      }
    },
  };
}
