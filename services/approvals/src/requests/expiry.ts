import {
  type EventOf,
  insertEvents,
  inTransaction,
  newEvent,
  type PutAside,
  repeat,
  type RetentionRule,
  withLockedRows,
} from '@drawbridge/events';
import { type Background, type Logger, memoize, type Metric } from '@drawbridge/rpc';
import { type Pool, type PoolClient } from 'pg';
import { changed, type Fact, type Told } from './approval-request.js';

const EVERY_MS = 1_000;
const BATCH = 100;

/** The columns of a changed approval request that its event contains. */
const RETURNING = `
  RETURNING id, org_id AS "orgId", policy_id AS "policyId", workspace_id AS "workspaceId", source,
    integration_name AS "integrationName", action_name AS "actionName"`;
const EXPIRE = `
  UPDATE approvals.approval_requests SET status = 'expired', updated_at = now() WHERE id IN (SELECT id FROM due) ${RETURNING}`;
const FIND_DUE = `
  SELECT 1 FROM approvals.approval_requests WHERE org_id = $1 AND status = 'pending' AND expires_at <= now() LIMIT 1`;
const EXPIRE_OF = `
  WITH due AS MATERIALIZED (
    SELECT id FROM approvals.approval_requests WHERE org_id = $1 AND status = 'pending' AND expires_at <= now()
    ORDER BY expires_at LIMIT ${BATCH} FOR UPDATE)
  ${EXPIRE}`;
const ALL_DUE = `
  SELECT id FROM approvals.approval_requests
  WHERE status = 'pending' AND expires_at <= now() AND id <> ALL ($1::uuid[])
  ORDER BY expires_at LIMIT ${BATCH}`;
/** Maximum number of requests that the metric counts, which limits the cost of the query. Higher numbers make no difference for an operator. */
const MOST = 100_000;
const COUNT = `
  SELECT count(*)::int AS many, greatest(0, extract(epoch FROM clock_timestamp() - min(expires_at)))::float8 AS late
  FROM (SELECT expires_at FROM approvals.approval_requests WHERE status = 'pending' ORDER BY expires_at LIMIT ${MOST}) AS counted`;
const EXPIRE_THESE = `WITH due AS (SELECT unnest($1::uuid[]) AS id) ${EXPIRE}`;

/**
 * Expires the organization's approval requests that are due, and publishes their events. Must be called before requests are read or decided, because
 * the background job may be late.
 */
export async function expireDue(pool: Pool, orgId: string): Promise<void> {
  for (;;) {
    const { rows } = await pool.query({ name: 'find-due-approval', text: FIND_DUE, values: [orgId] });
    if (rows.length === 0) return;
    await inTransaction(pool, (tx) => expire(tx, EXPIRE_OF, orgId));
  }
}

/** Expires approval requests in the background, so that requests that are never read also expire. */
export function expirySweeper(pool: Pool, log: Logger, wake: () => void): Background {
  return repeat({ name: 'expiring approval requests', everyMs: EVERY_MS, log }, async (stopping, aside) => {
    for (let count = BATCH; count === BATCH && !stopping.aborted;) {
      count = await expireSome(pool, aside);
      if (count > 0) wake();
    }
  });
}

/** Returns metrics about pending requests. */
export function pendingMetrics(pool: Pool): Metric[] {
  const count = memoize({ ttlMs: 1_000 }, async () => {
    const { rows } = await pool.query<{ many: number; late: number | null }>({ name: 'count-pending', text: COUNT });
    return rows[0]!;
  });
  return [
    {
      name: 'drawbridge_approvals_pending',
      help: `Approval requests that wait for a decision; at most ${MOST} are counted.`,
      type: 'gauge',
      read: async () => [{ value: (await count('')).many }],
    },
    {
      name: 'drawbridge_approvals_expiry_lag_seconds',
      help: 'How long the oldest expired request has been pending. It grows while the expiry job fails or hangs.',
      type: 'gauge',
      read: async () => [{ value: (await count('')).late ?? 0 }],
    },
  ];
}

/**
 * Expires one batch of requests that are due. Returns the size of the batch, or 0 if none of them could be expired, so that the caller does not
 * repeat a failing batch.
 */
async function expireSome(pool: Pool, aside: PutAside): Promise<number> {
  const find = { text: ALL_DUE, values: [aside.keys()] };
  const taken = await withLockedRows(pool, find, async (tx, rows: { id: string }[]) => {
    const expired = await aside.byHalves(tx, rows, {
      keyOf: ({ id }) => id,
      work: (some) => {
        const ids = some.map(({ id }) => id);
        return expire(tx, EXPIRE_THESE, ids);
      },
    });
    return expired === 0 ? 0 : rows.length;
  });
  return taken ?? 0;
}

async function expire(tx: PoolClient, sql: string, value: string | string[]): Promise<void> {
  await publish(tx, 'approvalExpired', await tx.query<Told>(sql, [value]));
}

async function publish(tx: PoolClient, fact: Fact, { rows }: { rows: Told[] }): Promise<void> {
  const events = rows.map((row) => newEvent(changed(fact, row), { orgId: row.orgId }));
  if (events.length > 0) await insertEvents(tx, 'approvals', events);
}

const CANCEL_OF_END_USER = {
  name: 'cancel-approvals-of-end-user',
  text: `UPDATE approvals.approval_requests
    SET status = 'canceled', decided_at = now(), decision_reason = 'The end user was deleted', updated_at = now()
    WHERE org_id = $1 AND workspace_id = $2 AND end_user_id = $3 AND status = 'pending' AND created_at <= $4 ${RETURNING}`,
};

/**
 * Cancels the pending approval requests of a deleted end user. Requests that were created after the deletion belong to a new end user with the same
 * externalId.
 */
export async function cancelOfEndUsers(events: EventOf<'endUserDeleted'>[], tx: PoolClient): Promise<void> {
  for (const { orgId, occurredAt, payload } of events) {
    const { workspaceId, externalId } = payload.value;
    const values = [orgId, workspaceId, externalId, occurredAt];
    await publish(tx, 'approvalCanceled', await tx.query<Told>({ ...CANCEL_OF_END_USER, values }));
  }
}

const CANCEL_OF_CODE_RUN = {
  name: 'cancel-approvals-of-code-run',
  text: `UPDATE approvals.approval_requests
    SET status = 'canceled', decided_at = now(), decision_reason = 'The run has ended', updated_at = now()
    WHERE org_id = $1 AND workspace_id = $2 AND code_run_id = $3 AND status = 'pending' ${RETURNING}`,
};

/** Cancels the pending approval requests of a Code Mode run that has ended, because an approval would have no effect. */
export async function cancelOfCodeRuns(events: EventOf<'codeRunEnded'>[], tx: PoolClient): Promise<void> {
  for (const { orgId, payload } of events) {
    const { workspaceId, codeRunId } = payload.value;
    const values = [orgId, workspaceId, codeRunId];
    await publish(tx, 'approvalCanceled', await tx.query<Told>({ ...CANCEL_OF_CODE_RUN, values }));
  }
}

/** Deletes approval requests 90 days after their last change, if they can no longer be decided. */
export const ENDED_REQUESTS: RetentionRule = {
  table: 'approvals.approval_requests',
  key: 'id',
  oldest: 'updated_at',
  expired: "status <> 'pending' AND updated_at < now() - interval '90 days'",
};
