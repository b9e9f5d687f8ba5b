import { insertEvents, newEvent, unaskedEvent } from '@drawbridge/events';
import { type PoolClient } from 'pg';

/** A source that the system disabled, not a user. */
export interface Disabled {
  triggerSourceId: string;
  workspaceId: string;
  integrationName: string;
  triggerName: string;
  userId: string;
}

/** SQL for statements that disable sources. */
export const RETURNING_DISABLED = `
  RETURNING id AS "triggerSourceId", workspace_id AS "workspaceId", integration_name AS "integrationName",
    trigger_name AS "triggerName", user_id AS "userId"`;

/** Records events and audit log entries for disabled sources, in the transaction that disabled them. `reason` is a code, `why` is text for people. */
export async function announceDisabled(
  tx: PoolClient,
  { orgId, reason, why }: { orgId: string; reason: string; why: string },
  disabled: readonly Disabled[],
): Promise<void> {
  const events = disabled.flatMap((source) => {
    const { triggerSourceId: id, workspaceId, integrationName, triggerName } = source;
    const name = `${integrationName}.${triggerName}`;
    return [
      newEvent({ $case: 'triggerDisabled', value: { ...source, reason } }, { orgId }),
      unaskedEvent('system', { orgId, id, name, workspaceId, action: 'trigger.disable', reason: why }),
    ];
  });
  if (events.length > 0) await insertEvents(tx, 'triggers', events);
}
