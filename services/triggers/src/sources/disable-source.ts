import { type EventOf, insertEvents, inTransaction, newEvent, type Outbox, unaskedEvent } from '@drawbridge/events';
import { type Pool, type PoolClient } from 'pg';
import { type Prisma, type Source } from '../gen/prisma/client.js';

/**
 * Disables a source on behalf of a user. After the commit, the source is not listed and its events are no longer delivered. Soon after, it is
 * unregistered at the provider. Returns false if it was already disabled.
 */
export async function endSource(
  tx: Prisma.TransactionClient,
  outbox: Pick<Outbox, 'add'>,
  { id, orgId, workspaceId, integrationName, triggerName, userId }: Source,
): Promise<boolean> {
  const now = new Date();
  const { count } = await tx.source.updateMany({
    where: { id, orgId, status: 'enabled' },
    data: { status: 'disabling', suspendedAt: now, updatedAt: now },
  });
  if (count === 0) return false;
  const value = { triggerSourceId: id, workspaceId, integrationName, triggerName, userId, reason: 'request' };
  await outbox.add(tx, { $case: 'triggerDisabled', value }, orgId);
  return true;
}

/** A source that was disabled automatically, and not by a user. */
export type Disabled = Omit<EventOf<'triggerDisabled'>['payload']['value'], 'reason'>;

/** SQL that statements which disable sources append, to return the values of `Disabled`. */
export const RETURNING_DISABLED = `
  RETURNING id AS "triggerSourceId", workspace_id AS "workspaceId", integration_name AS "integrationName",
    trigger_name AS "triggerName", user_id AS "userId"`;

const DAYS = 5;
/**
 * Minimum number of failed attempts before a trigger is disabled. Without it, two failed events at the start and end of the five days would suffice.
 */
export const FAILED_ATTEMPTS = 50;

/** Disables a source. Checks the limits itself, so that it locks only sources that have reached them. */
const DISABLE = {
  name: 'disable-failing-source',
  text: `UPDATE triggers.sources SET status = 'disabling', suspended_at = now(), updated_at = now()
    WHERE org_id = $1 AND id = $2 AND status = 'enabled' AND failing_since < now() - interval '${DAYS} days'
      AND failed_attempts >= ${FAILED_ATTEMPTS}
    ${RETURNING_DISABLED}`,
};

/**
 * Disables a source if all of its callbacks failed for five days and in at least 50 attempts, and records the events. Returns false if the limits are
 * not reached or the source is already disabled.
 */
export async function disableFailing(pool: Pool, { id, orgId }: { id: string; orgId: string }): Promise<boolean> {
  return inTransaction(pool, async (tx) => {
    const { rows } = await tx.query<Disabled>({ ...DISABLE, values: [orgId, id] });
    await announceDisabled(tx, { orgId, reason: 'failures', why: `its callbacks failed for ${DAYS} days` }, rows);
    return rows.length > 0;
  });
}

/**
 * Records events and audit log entries for disabled sources, in the transaction that disabled them. `reason` is a code, and `why` is a text for
 * users.
 */
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

/**
 * SQL of the columns that a statement sets to disable sources. A source that is being enabled is unregistered only after enabling has ended or was
 * abandoned, because only then is known what was registered at the provider.
 */
export const SET_DISABLED = `status = 'disabling', suspended_at = coalesce(suspended_at, now()), updated_at = now(),
  unregister_at = CASE status WHEN 'enabling' THEN created_at + interval '2 minutes' ELSE unregister_at END`;
