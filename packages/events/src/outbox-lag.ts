import { memoize, type Metric } from '@drawbridge/rpc';
import { type Pool } from 'pg';

/** If the oldest unpublished event is older than this, the service reports that it is degraded. */
const LATE_SECONDS = 60;
const REMEMBER_MS = 1_000;
/** Rows are counted only up to this number. A larger count makes no difference to an operator. */
const MOST = 100_000;

export interface OutboxLag {
  metrics: Metric[];
  /** Returns a message if events are late, otherwise an empty list. */
  degraded(): Promise<string[]>;
}

/** Measures the delay of a service's events: unpublished events and dead letters. */
export function outboxLag(pool: Pool, service: string): OutboxLag {
  const sql = statements(service);
  const read = async (statement: { name: string; text: string }): Promise<number> =>
    Number((await pool.query<{ value: number }>(statement)).rows[0]?.value ?? 0);
  const age = memoize({ ttlMs: REMEMBER_MS }, () => read(sql.age));
  const gauge = (name: string, help: string, value: () => Promise<number>): Metric => ({
    name,
    help,
    type: 'gauge',
    read: async () => [{ labels: { service }, value: await value() }],
  });
  return {
    metrics: [
      gauge('drawbridge_outbox_oldest_seconds', 'Age of the oldest event that is not published.', () => age('')),
      gauge('drawbridge_outbox_events', `Events that are not published; at most ${MOST} are counted.`, () =>
        read(sql.count),
      ),
      gauge('drawbridge_outbox_dead_events', `Events that the bus always rejects; at most ${MOST} are counted.`, () =>
        read(sql.dead),
      ),
    ],
    async degraded() {
      const seconds = await age('');
      return seconds > LATE_SECONDS ? [`the oldest unpublished event is ${Math.round(seconds)} s old`] : [];
    },
  };
}

const statements = (schema: string) => ({
  age: {
    name: `age-of-outbox-${schema}`,
    text: `SELECT greatest(0, extract(epoch FROM clock_timestamp() - created_at))::float8 AS value
      FROM ${schema}.outbox WHERE published_at IS NULL ORDER BY created_at LIMIT 1`,
  },
  count: {
    name: `count-outbox-${schema}`,
    text: `SELECT count(*)::int AS value
      FROM (SELECT FROM ${schema}.outbox WHERE published_at IS NULL LIMIT ${MOST}) AS counted`,
  },
  dead: {
    name: `count-dead-events-${schema}`,
    text: `SELECT count(*)::int AS value FROM (SELECT FROM ${schema}.dead_events LIMIT ${MOST}) AS counted`,
  },
});
