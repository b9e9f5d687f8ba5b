import { inTransaction } from '@drawbridge/events';
import { type Pool } from 'pg';
import { announceDisabled, type Disabled, RETURNING_DISABLED } from './announce-disabled.js';

const DAYS = 5;
/** With fewer, one event that failed at either end of those days would be enough. */
export const FAILED_ATTEMPTS = 50;

/** Who has not failed for so long is not locked. */
const DISABLE = {
  name: 'disable-failing-source',
  text: `UPDATE triggers.sources SET status = 'disabling', suspended_at = now(), updated_at = now()
    WHERE org_id = $1 AND id = $2 AND status = 'enabled' AND failing_since < now() - interval '${DAYS} days'
      AND failed_attempts >= ${FAILED_ATTEMPTS}
    ${RETURNING_DISABLED}`,
};

/** Disables a source none of whose callbacks arrived for five days and 50 attempts, and records the events. False: not yet, or it is disabled already. */
export async function disableFailing(pool: Pool, { id, orgId }: { id: string; orgId: string }): Promise<boolean> {
  return inTransaction(pool, async (tx) => {
    const { rows } = await tx.query<Disabled>({ ...DISABLE, values: [orgId, id] });
    await announceDisabled(tx, { orgId, reason: 'failures', why: `its callbacks failed for ${DAYS} days` }, rows);
    return rows.length > 0;
  });
}
