import { type Pool } from 'pg';
import { disableFailing } from '../sources/disable-failing.js';
import { type OpenDelivery } from './callback.js';

type Delivered = Pick<OpenDelivery, 'orgId' | 'sourceId'>;

/** At most once a second: a source that is told much would have every delivery wait for the one row. */
const ARRIVED = {
  name: 'callback-arrived',
  text: `UPDATE triggers.sources SET last_delivery_at = now(), failing_since = NULL WHERE org_id = $1 AND id = $2
    AND (failing_since IS NOT NULL OR last_delivery_at IS NULL OR last_delivery_at < now() - interval '1 second')`,
};
const FAILED = {
  name: 'callback-failed',
  text: `UPDATE triggers.sources SET failing_since = now() WHERE org_id = $1 AND id = $2 AND failing_since IS NULL`,
};

/** What an attempt says of its source; whether it was disabled for that. */
export async function noteOfSource(pool: Pool, { orgId, sourceId }: Delivered, isDelivered: boolean): Promise<boolean> {
  await pool.query({ ...(isDelivered ? ARRIVED : FAILED), values: [orgId, sourceId] });
  return !isDelivered && disableFailing(pool, { id: sourceId, orgId });
}
