import { type EmptyWorkspace, type EventOf, inTransaction, repeat, type RetentionRule } from '@drawbridge/events';
import { type Background, type Logger } from '@drawbridge/rpc';
import { type Pool, type PoolClient } from 'pg';
import { countSpace, deleteSpace } from './count-space.js';

const EVERY_MS = 5_000;
/** Rows that go in one transaction. */
const BATCH_ROWS = 500;

const LET_GO = `
  UPDATE execution.state_spaces SET scope = 'gone', owner = id::text
  WHERE org_id = $1 AND workspace_id = $2 AND scope = 'end_user' AND owner = $3`;

const SPACE = 'SELECT id, org_id AS "orgId" FROM execution.state_spaces';
const GONE = `${SPACE} WHERE scope = 'gone' ORDER BY id LIMIT 1 FOR UPDATE SKIP LOCKED`;
/** Any: to order them would read all for each. */
const OF_WORKSPACE = `${SPACE} WHERE workspace_id = $1 LIMIT 1 FOR UPDATE`;
/** Of the entry whose time was over first. */
const EXPIRED = `${SPACE} WHERE id = (
  SELECT space_id FROM execution.state_entries WHERE expires_at <= now() ORDER BY expires_at LIMIT 1) FOR UPDATE`;

const DELETE = (which: string): string => `
  DELETE FROM execution.state_entries WHERE org_id = $1 AND space_id = $2 AND (integration, key) IN (
    SELECT integration, key FROM execution.state_entries WHERE org_id = $1 AND space_id = $2 AND ${which} LIMIT $3)`;
const DELETE_ANY = DELETE('true');
const DELETE_EXPIRED = DELETE('expires_at <= now()');

interface Space {
  id: string;
  orgId: string;
}

/** A person is gone: what was kept for them can be found no more at once, and goes bit by bit. */
export async function forgetEndUsers(events: EventOf<'endUserDeleted'>[], tx: PoolClient): Promise<void> {
  for (const { orgId, payload } of events) {
    const { workspaceId, externalId } = payload.value;
    await tx.query(LET_GO, [orgId, workspaceId, externalId]);
  }
}

/** A workspace is gone: so is what was kept in it. */
export const emptyState: EmptyWorkspace = (tx, workspaceId, limit) => emptyOne(tx, OF_WORKSPACE, [workspaceId], limit);

/** What was kept for end users who are gone, and what was kept for a time that is over. */
export function statePurge(pool: Pool, log: Logger): Background {
  return repeat({ name: 'letting go what was kept', everyMs: EVERY_MS, log }, async () => {
    while ((await inTransaction(pool, (tx) => emptyOne(tx, GONE, [], BATCH_ROWS))) > 0);
    while ((await inTransaction(pool, expireSome)) > 0);
  });
}

/** Up to so many entries of a space, and the space with the last; answers how many rows. */
async function emptyOne(tx: PoolClient, next: string, values: unknown[], limit: number): Promise<number> {
  const { rows } = await tx.query<Space>(next, values);
  if (!rows[0]) return 0;
  const { orgId, id } = rows[0];
  const deleted = (await tx.query(DELETE_ANY, [orgId, id, limit])).rowCount ?? 0;
  if (deleted === limit) return deleted;
  await deleteSpace(tx, orgId, id);
  return deleted + 1;
}

/** Not by a rule of retention: the space is counted anew, so that there is room again. */
export async function expireSome(tx: PoolClient): Promise<number> {
  const { rows } = await tx.query<Space>(EXPIRED);
  if (!rows[0]) return 0;
  const { orgId, id } = rows[0];
  const { rowCount } = await tx.query(DELETE_EXPIRED, [orgId, id, BATCH_ROWS]);
  await countSpace(tx, orgId, id);
  return rowCount ?? 0;
}

/** Spaces in which nothing is left for a day. */
export const EMPTY_SPACES: RetentionRule = {
  table: 'execution.state_spaces',
  key: 'id',
  oldest: 'written_at',
  expired: "entries = 0 AND written_at < now() - interval '1 day'",
};
