import { newId } from '@drawbridge/contracts';
import { type EventOf } from '@drawbridge/events';
import { type Enqueue } from '@drawbridge/jobs';
import { type ApprovalApprover } from '@drawbridge/proto/drawbridge/approvals/v1/policy';
import { type PoolClient } from 'pg';
import { fromApprovalId } from '../requests/request-ids.js';

type Changed = EventOf<
  'approvalRequested' | 'approvalApproved' | 'approvalRejected' | 'approvalCanceled' | 'approvalExpired'
>;

interface Told {
  workspaceId: string;
  approvers: readonly ApprovalApprover[];
}

/** Whom the policy named when the request was opened. Of a workspace that is gone there is nobody. */
const OF_REQUEST = {
  name: 'approvers-of-request',
  text: `SELECT workspace_id AS "workspaceId", approvers FROM approvals.approval_requests
    WHERE org_id = $1 AND id = $2 AND approvals.workspace_lives(workspace_id)`,
};
/** Whom it names now. The workspace is the call's: the policy may be of the whole organization. */
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
 * Of an organization, that were never tried: whoever looks for what is due passes all of them by. What comes then is given up at once.
 * Notifications, one a call, give way before what becomes of requests.
 */
const MAX_WAITING = { notified: 10_000, changed: 20_000 };
const TOO_MANY = 'Too many deliveries of the organization wait';

/** Of one organization: what one that hangs has waiting is nothing to another of its webhooks. */
export function toReceiver(orgId: string, url: string): string {
  return `${orgId} ${url}`;
}

/** What becomes of requests, for the webhooks that their policies name. */
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

/** Calls that a policy wants to be told of. */
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

/** One for each webhook: what one receiver does is nothing to the others. */
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
