import { inTransaction } from '@drawbridge/events';
import { type Pool } from 'pg';
import { announceDisabled, type Disabled, RETURNING_DISABLED } from './announce-disabled.js';

const DAYS = 5;
/** With fewer, one event that fails at each end of the five days would be enough. */
export const FAILED_ATTEMPTS = 50;

/** The statement checks the limits itself, so that it does not lock sources below them. */
const DISABLE = {
  name: 'disable-failing-source',
  text: `UPDATE triggers.sources SET status = 'disabling', suspended_at = now(), updated_at = now()
    WHERE org_id = $1 AND id = $2 AND status = 'enabled' AND failing_since < now() - interval '${DAYS} days'
      AND failed_attempts >= ${FAILED_ATTEMPTS}
    ${RETURNING_DISABLED}`,
};

/**
 * Disables a source if none of its callbacks arrived for five days and 50 attempts, and records the events. Returns false if it is not due yet or is
 * disabled already.
 */
export async function disableFailing(pool: Pool, { id, orgId }: { id: string; orgId: string }): Promise<boolean> {
  return inTransaction(pool, async (tx) => {
    const { rows } = await tx.query<Disabled>({ ...DISABLE, values: [orgId, id] });
    await announceDisabled(tx, { orgId, reason: 'failures', why: `its callbacks failed for ${DAYS} days` }, rows);
    return rows.length > 0;
  });
}
