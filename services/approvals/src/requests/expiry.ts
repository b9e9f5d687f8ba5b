import { inTransaction, insertEvents, newEvent, type PutAside, repeat } from '@drawbridge/events';
import { type Background, type Logger } from '@drawbridge/rpc';
import { type Pool, type PoolClient } from 'pg';
import { changed, type Told } from './events.js';

const EVERY_MS = 1_000;
const BATCH = 100;

const EXPIRE = `
  UPDATE approvals.approval_requests SET status = 'expired', updated_at = now() WHERE id IN (SELECT id FROM due)
  RETURNING id, org_id AS "orgId", policy_id AS "policyId", workspace_id AS "workspaceId", source,
    integration_name AS "integrationName", action_name AS "actionName"`;
const FIND_DUE = `
  SELECT 1 FROM approvals.approval_requests WHERE org_id = $1 AND status = 'pending' AND expires_at <= now() LIMIT 1`;
const EXPIRE_OF = `
  WITH due AS MATERIALIZED (
    SELECT id FROM approvals.approval_requests WHERE org_id = $1 AND status = 'pending' AND expires_at <= now()
    ORDER BY expires_at LIMIT ${BATCH} FOR UPDATE)
  ${EXPIRE}`;
const TAKE_DUE = `
  SELECT id FROM approvals.approval_requests
  WHERE status = 'pending' AND expires_at <= now() AND id <> ALL ($1::uuid[])
  ORDER BY expires_at LIMIT ${BATCH} FOR UPDATE SKIP LOCKED`;
const EXPIRE_THESE = `WITH due AS (SELECT unnest($1::uuid[]) AS id) ${EXPIRE}`;

/**
 * Expires the organization's requests that are due, with their events. Call it before requests are read or decided, because the timer may
 * be late.
 */
export async function expireDue(pool: Pool, orgId: string): Promise<void> {
  for (;;) {
    const { rows } = await pool.query({ name: 'find-due-approval', text: FIND_DUE, values: [orgId] });
    if (rows.length === 0) return;
    await inTransaction(pool, (tx) => expire(tx, EXPIRE_OF, orgId));
  }
}

/** Expires requests that are never read. */
export function expirySweeper(pool: Pool, log: Logger, wake: () => void): Background {
  return repeat({ name: 'expiring approval requests', everyMs: EVERY_MS, log }, async (stopping, aside) => {
    while (!stopping.aborted && (await inTransaction(pool, (tx) => expireSome(tx, aside))) === BATCH);
    wake();
  });
}

/** Returns how many were due; 0 where none of them could be expired. */
async function expireSome(tx: PoolClient, aside: PutAside): Promise<number> {
  const { rows } = await tx.query<{ id: string }>(TAKE_DUE, [aside.keys()]);
  const expired = await aside.byHalves(tx, rows, {
    keyOf: ({ id }) => id,
    work: (some) =>
      expire(
        tx,
        EXPIRE_THESE,
        some.map(({ id }) => id),
      ),
  });
  return expired === 0 ? 0 : rows.length;
}

async function expire(tx: PoolClient, sql: string, value: string | string[]): Promise<void> {
  const { rows } = await tx.query<Told>(sql, [value]);
  const events = rows.map((row) => newEvent(changed('approvalExpired', row), { orgId: row.orgId }));
  if (events.length > 0) await insertEvents(tx, 'approvals', events);
}
