import { type Metric } from '@drawbridge/rpc';
import { type Pool } from 'pg';
import { type Room } from './room.js';

/** Counted so far: beyond, how many more there are changes nothing that an operator does. */
const MOST = 100_000;

const COUNT = {
  name: 'count-open-deliveries',
  text: ['pending', 'retrying', 'failed']
    .map(
      (status) => `SELECT '${status}' AS status, count(*)::int AS many
        FROM (SELECT FROM triggers.deliveries WHERE status = '${status}' LIMIT ${MOST}) AS counted`,
    )
    .join(' UNION ALL '),
};
/** As operators know them. */
const STATES: Record<string, string> = { pending: 'waiting', retrying: 'failing', failed: 'dead' };

/** What an operator watches of callbacks. By an index of what has not arrived, however much has. */
export function deliveryMetrics(pool: Pool, room: Pick<Room, 'refusals'>): Metric[] {
  return [
    {
      name: 'drawbridge_trigger_deliveries',
      help: `Callbacks that have not arrived: waiting for their first attempt, failing and tried again, or dead. At most ${MOST} of each are counted.`,
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
      read: () => [{ value: room.refusals() }],
    },
  ];
}
