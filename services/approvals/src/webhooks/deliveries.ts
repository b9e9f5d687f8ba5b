import { newId } from '@drawbridge/contracts';
import { type EventOf } from '@drawbridge/events';
import { type Enqueue } from '@drawbridge/jobs';
import { type ApprovalApprover } from '@drawbridge/proto/drawbridge/approvals/v1/policy';
import { type PoolClient } from 'pg';
import { fromApprovalId } from '../requests/approval-request.js';

type Changed = EventOf<
  'approvalRequested' | 'approvalApproved' | 'approvalRejected' | 'approvalCanceled' | 'approvalExpired'
>;

interface Told {
  workspaceId: string;
  approvers: readonly ApprovalApprover[];
}

/** Selects the approvers that the policy named when the request was created. Returns no row if the workspace is deleted. */
const OF_REQUEST = {
  name: 'approvers-of-request',
  text: `SELECT workspace_id AS "workspaceId", approvers FROM approvals.approval_requests
    WHERE org_id = $1 AND id = $2 AND approvals.workspace_lives(workspace_id)`,
};
/** Selects the current approvers of the policy. The workspace is a parameter, because the policy may apply to the whole organization. */
const OF_POLICY = {
  name: 'approvers-of-policy',
  text: `SELECT $3::uuid AS "workspaceId", approvers FROM approvals.approval_policies
    WHERE org_id = $1 AND id = $2 AND approvals.workspace_lives($3::uuid)`,
};
const INSERT = {
  name: 'insert-webhook-deliveries',
  text: `INSERT INTO approvals.webhook_deliveries
      (id, org_id, workspace_id, request_id, facts, event_type, callback_url, occurred_at, status, error_message)
    SELECT wanted.id, $1, $2, $3, $4::json, $5, wanted.url, $6, $9, $10
    FROM unnest($7::uuid[], $8::text[]) AS wanted(id, url)`,
};
const COUNT_WAITING = {
  name: 'count-waiting-deliveries',
  text: `SELECT count(*)::int AS count FROM (
    SELECT FROM approvals.webhook_deliveries WHERE org_id = $1 AND status = 'pending' LIMIT $2) waiting`,
};

/**
 * Backlog limits of an organization's deliveries that have not been attempted, because every search for due deliveries scans them. Deliveries beyond
 * the limit fail immediately. Notifications have a lower limit than changes of requests, because one is sent for each call.
 */
const MAX_WAITING = { notified: 10_000, changed: 20_000 };
const TOO_MANY = 'Too many deliveries of the organization are waiting';

/**
 * Returns the name of the delivery's receiver in the job queue. Each pair of organization and URL is a separate receiver, so that a slow webhook does
 * not delay other webhooks.
 */
export function toReceiver(orgId: string, url: string): string {
  return `${orgId} ${url}`;
}

/** Creates a delivery to each webhook of the policy when an approval request is created, decided or expires. */
export function deliverChanges(enqueue: Enqueue) {
  return async (events: Changed[], tx: PoolClient): Promise<void> => {
    for (const { orgId, type, occurredAt, payload } of events) {
      const requestId = fromApprovalId(payload.value.approvalId);
      const { rows } = await tx.query<Told>({ ...OF_REQUEST, values: [orgId, requestId] });
      const most = MAX_WAITING.changed;
      await plan(tx, enqueue, { orgId, type, occurredAt, requestId, told: rows[0], most });
    }
  };
}

/** Creates a delivery to each webhook of the policy for calls that matched a `notify_only` policy. */
export function deliverNotifications(enqueue: Enqueue) {
  return async (events: EventOf<'approvalNotified'>[], tx: PoolClient): Promise<void> => {
    for (const { orgId, type, occurredAt, payload } of events) {
      const { policyId, ...facts } = payload.value;
      const { rows } = await tx.query<Told>({ ...OF_POLICY, values: [orgId, policyId, facts.workspaceId] });
      const most = MAX_WAITING.notified;
      await plan(tx, enqueue, { orgId, type, occurredAt, facts, told: rows[0], most });
    }
  };
}

interface Planned {
  orgId: string;
  type: string;
  occurredAt: string;
  requestId?: string;
  facts?: object;
  told?: Told;
  most: number;
}

/** Creates one delivery for each webhook, so that a failure of one webhook does not affect the others. */
async function plan(tx: PoolClient, enqueue: Enqueue, planned: Planned): Promise<void> {
  const { orgId, type, occurredAt, requestId, facts, told, most } = planned;
  const urls = [...new Set(told?.approvers.flatMap(({ webhookUrl }) => webhookUrl ?? []))];
  if (!told || urls.length === 0) return;
  const { rows } = await tx.query<{ count: number }>({ ...COUNT_WAITING, values: [orgId, most] });
  const isFull = (rows[0]?.count ?? 0) >= most;
  const ids = urls.map(() => newId());
  const about = [orgId, told.workspaceId, requestId ?? null, facts ? JSON.stringify(facts) : null];
  const fate = isFull ? ['failed', TOO_MANY] : ['pending', null];
  await tx.query({ ...INSERT, values: [...about, type, occurredAt, ids, urls, ...fate] });
  if (isFull) return;
  await enqueue(
    tx,
    ids.map((id, index) => ({ id, orgId, receiver: toReceiver(orgId, urls[index]!) })),
  );
}
