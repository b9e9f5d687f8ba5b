import { type EventOf, insertEvents, newEvent } from '@drawbridge/events';
import { type PoolClient } from 'pg';
import { changed, type Told } from './events.js';

const CANCEL_OF_END_USER = {
  name: 'cancel-approvals-of-end-user',
  text: `UPDATE approvals.approval_requests
    SET status = 'canceled', decided_at = now(), decision_reason = 'The end user was deleted', updated_at = now()
    WHERE org_id = $1 AND workspace_id = $2 AND end_user_id = $3 AND status = 'pending' AND created_at <= $4
    RETURNING id, org_id AS "orgId", policy_id AS "policyId", workspace_id AS "workspaceId", source,
      integration_name AS "integrationName", action_name AS "actionName"`,
};

/** Cancels the requests of a deleted end user. Later requests belong to another end user with the same externalId. */
export async function cancelOfEndUsers(events: EventOf<'endUserDeleted'>[], tx: PoolClient): Promise<void> {
  for (const { orgId, occurredAt, payload } of events) {
    const { workspaceId, externalId } = payload.value;
    const values = [orgId, workspaceId, externalId, occurredAt];
    const { rows } = await tx.query<Told>({ ...CANCEL_OF_END_USER, values });
    const told = rows.map((row) => newEvent(changed('approvalCanceled', row), { orgId }));
    if (told.length > 0) await insertEvents(tx, 'approvals', told);
  }
}
