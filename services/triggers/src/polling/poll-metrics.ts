import { type Metric } from '@drawbridge/rpc';
import { type Pool } from 'pg';

/** Bounds the cost of counting: a longer backlog changes nothing for an operator. */
const MOST = 100_000;

const LATE = {
  name: 'late-polls',
  text: `SELECT count(*)::int AS many, coalesce(extract(epoch FROM now() - min(poll_at)), 0)::float8 AS seconds
    FROM (SELECT poll_at FROM triggers.sources WHERE status = 'enabled' AND poll_at <= now() ORDER BY poll_at LIMIT ${MOST}) AS due`,
};

/** Metrics of the polls that wait for a slot, in all processes together. */
export function pollMetrics(pool: Pool): Metric[] {
  const late = async () => (await pool.query<{ many: number; seconds: number }>(LATE)).rows[0]!;
  return [
    {
      name: 'drawbridge_trigger_polls_due',
      help: `Polls that are due and wait for a slot. At most ${MOST} are counted.`,
      type: 'gauge',
      read: async () => [{ value: (await late()).many }],
    },
    {
      name: 'drawbridge_trigger_poll_lag_seconds',
      help: 'How long the poll that is due longest has waited for a slot.',
      type: 'gauge',
      read: async () => [{ value: (await late()).seconds }],
    },
  ];
}
