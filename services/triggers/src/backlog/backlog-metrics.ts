import { type Metric } from '@drawbridge/rpc';
import { type Pool } from 'pg';
import { type BacklogLimit } from './backlog-limit.js';

/** Maximum number of deliveries that are counted, to limit the cost. Higher numbers make no difference for an operator. */
const MOST = 100_000;

const COUNT = {
  name: 'count-open-deliveries',
  text: ['pending', 'retrying', 'failed', 'kept']
    .map(
      (status) => `SELECT '${status}' AS status, count(*)::int AS many
        FROM (SELECT FROM triggers.deliveries WHERE status = '${status}' LIMIT ${MOST}) AS counted`,
    )
    .join(' UNION ALL '),
};
/** The values of the metric label `state`, by the status of a delivery. */
const STATES: Record<string, string> = { pending: 'waiting', retrying: 'failing', failed: 'dead' };

/**
 * Returns metrics about callbacks. Counting uses an index of undelivered callbacks only, so the cost does not grow with the number of delivered
 * callbacks.
 */
export function deliveryMetrics(pool: Pool, backlog: Pick<BacklogLimit, 'refusals'>): Metric[] {
  return [
    {
      name: 'drawbridge_trigger_deliveries',
      help: `Events that were not delivered: waiting for the first attempt of their callback, failing and tried again, dead, or kept by a trigger without a callback. At most ${MOST} of each are counted.`,
      type: 'gauge',
      async read() {
        const { rows } = await pool.query<{ status: string; many: number }>(COUNT);
        return rows.map(({ status, many }) => ({ labels: { state: STATES[status] ?? status }, value: many }));
      },
    },
    {
      name: 'drawbridge_trigger_events_refused_total',
      help: 'Events and polls that were refused by this process because too much of their organization waited.',
      type: 'counter',
      read: () => [{ value: backlog.refusals() }],
    },
  ];
}
