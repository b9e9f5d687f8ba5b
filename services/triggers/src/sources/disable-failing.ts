import { insertEvents, inTransaction, newEvent, unaskedEvent } from '@drawbridge/events';
import { type Pool } from 'pg';

const DAYS = 5;

/** Who has not failed for so long is not locked. */
const DISABLE = {
  name: 'disable-failing-source',
  text: `UPDATE triggers.sources SET status = 'disabling', suspended_at = now(), updated_at = now()
    WHERE org_id = $1 AND id = $2 AND status = 'enabled' AND failing_since < now() - interval '${DAYS} days'
    RETURNING id AS "triggerSourceId", workspace_id AS "workspaceId", integration_name AS "integrationName",
      trigger_name AS "triggerName", user_id AS "userId"`,
};

interface Disabled {
  triggerSourceId: string;
  workspaceId: string;
  integrationName: string;
  triggerName: string;
  userId: string;
}

/** Disables a source none of whose callbacks arrived for five days, with the events that tell of it. False: not yet, or no more. */
export async function disableFailing(pool: Pool, { id, orgId }: { id: string; orgId: string }): Promise<boolean> {
  return inTransaction(pool, async (tx) => {
    const { rows } = await tx.query<Disabled>({ ...DISABLE, values: [orgId, id] });
    const [disabled] = rows;
    if (!disabled) return false;
    const { workspaceId, integrationName, triggerName } = disabled;
    const reason = `its callbacks failed for ${DAYS} days`;
    await insertEvents(tx, 'triggers', [
      newEvent({ $case: 'triggerDisabled', value: { ...disabled, reason: 'failures' } }, { orgId }),
      unaskedEvent('system', {
        ...{ orgId, id, workspaceId, name: `${integrationName}.${triggerName}` },
        ...{ action: 'trigger.disable', reason },
      }),
    ]);
    return true;
  });
}
