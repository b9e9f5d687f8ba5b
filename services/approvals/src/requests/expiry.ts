import { inTransaction, insertEvents, newEvent, repeat } from '@drawbridge/events';
import { type Background, type Logger } from '@drawbridge/rpc';
import { type Pool } from 'pg';
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
const EXPIRE_ANY = `
  WITH due AS MATERIALIZED (
    SELECT id FROM approvals.approval_requests WHERE status = 'pending' AND expires_at <= now()
    ORDER BY expires_at LIMIT ${BATCH} FOR UPDATE SKIP LOCKED)
  ${EXPIRE}`;

/**
 * An organization's requests whose time is over have the status that says so, with its event, before anybody reads or decides one: the timer
 * may be late.
 */
export async function expireDue(pool: Pool, orgId: string): Promise<void> {
  for (;;) {
    const { rows } = await pool.query({ name: 'find-due-approval', text: FIND_DUE, values: [orgId] });
    if (rows.length === 0) return;
    await expire(pool, EXPIRE_OF, [orgId]);
  }
}

/** The same for those that nobody asks for. */
export function expirySweeper(pool: Pool, log: Logger, wake: () => void): Background {
  return repeat({ name: 'expiring approval requests', everyMs: EVERY_MS, log }, async () => {
    while ((await expire(pool, EXPIRE_ANY, [])) === BATCH);
    wake();
  });
}

async function expire(pool: Pool, sql: string, values: string[]): Promise<number> {
  return inTransaction(pool, async (tx) => {
    const { rows } = await tx.query<Told>(sql, values);
    const events = rows.map((row) => newEvent(changed('approvalExpired', row), { orgId: row.orgId }));
    if (events.length > 0) await insertEvents(tx, 'approvals', events);
    return rows.length;
  });
}
