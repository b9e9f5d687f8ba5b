import { newId } from '@drawbridge/contracts';
import {
  type EmptyWorkspace,
  type EventOf,
  inTransaction,
  type PutAside,
  repeat,
  type RetentionRule,
} from '@drawbridge/events';
import { type Background, type Logger } from '@drawbridge/rpc';
import { type Pool, type PoolClient } from 'pg';
import { countSpace, deleteSpace } from './count-space.js';

const EVERY_MS = 5_000;
/** Maximum number of rows that one transaction deletes. */
const BATCH_ROWS = 500;

/**
 * Ends the state of an end user without a record (a row in the directory of end users). The next write creates new, empty state for the externalId.
 */
const END_NAME = `
  UPDATE execution.state_spaces SET scope = 'gone', owner = id::text, ended_at = now(), written_at = now()
  WHERE org_id = $1 AND workspace_id = $2 AND scope = 'end_user' AND owner = $3`;
/**
 * Ends the state of an end user with a record. If there is none, creates an ended row, so that an active run cannot write state. Deleted workspaces
 * accept no writes.
 */
const END_RECORD = `
  INSERT INTO execution.state_spaces (id, org_id, workspace_id, scope, owner, ended_at, written_at)
  SELECT $1::uuid, $2::uuid, $3::uuid, 'end_user_record', $4::text, now(), now() WHERE execution.workspace_lives($3::uuid)
  ON CONFLICT (workspace_id, scope, owner) DO UPDATE SET ended_at = now(), written_at = now()
  WHERE state_spaces.org_id = $2`;

const SPACE = 'SELECT id, org_id AS "orgId" FROM execution.state_spaces';
const ENDED = `
  SELECT id FROM execution.state_spaces WHERE ended_at IS NOT NULL AND entries > 0 AND id <> ALL ($1::uuid[]) ORDER BY id LIMIT 1`;
const ENDED_ONE = `${SPACE} WHERE id = $1 AND ended_at IS NOT NULL AND entries > 0 FOR UPDATE SKIP LOCKED`;
/**
 * Deletes the stored programs of an end user, which could otherwise be continued by a later end user with the same externalId. A process that
 * executes such a program loses its lease, because the row is deleted.
 */
const DELETE_CODE_RUNS = {
  name: 'delete-code-runs-of-end-user',
  text: `
    DELETE FROM execution.code_runs WHERE org_id = $1 AND workspace_id = $2 AND end_user_id = $3 AND created_at <= $4`,
};
/** Selects any space of the workspace. An ORDER BY would read all spaces each time. */
const OF_WORKSPACE = `${SPACE} WHERE workspace_id = $1 LIMIT 1 FOR UPDATE`;
/** Selects the space of the entry that expired first. */
const EXPIRED = `
  SELECT space_id AS id FROM execution.state_entries WHERE expires_at <= now() AND space_id <> ALL ($1::uuid[])
  ORDER BY expires_at LIMIT 1`;
const ONE = `${SPACE} WHERE id = $1 FOR UPDATE`;

const DELETE = (which: string): string => `
  DELETE FROM execution.state_entries WHERE org_id = $1 AND space_id = $2 AND (integration, key) IN (
    SELECT integration, key FROM execution.state_entries WHERE org_id = $1 AND space_id = $2 AND ${which} LIMIT $3)`;
const DELETE_ANY = DELETE('true');
const DELETE_EXPIRED = DELETE('expires_at <= now()');

interface Space {
  id: string;
  orgId: string;
}

/**
 * Deletes the stored programs of deleted end users and ends their state. The state of the end user's record, and the state that the externalId had
 * before the record existed, become inaccessible immediately and are deleted in batches. The ended row of the record is retained for a day, which is
 * longer than any run that started before the deletion.
 */
export async function forgetEndUsers(events: EventOf<'endUserDeleted'>[], tx: PoolClient): Promise<void> {
  for (const { orgId, occurredAt, payload } of events) {
    const { workspaceId, externalId, endUserId } = payload.value;
    await tx.query({ ...DELETE_CODE_RUNS, values: [orgId, workspaceId, externalId, occurredAt] });
    await tx.query(END_NAME, [orgId, workspaceId, externalId]);
    if (endUserId) await tx.query(END_RECORD, [newId(), orgId, workspaceId, endUserId]);
  }
}

/** Deletes one batch of the state of a deleted workspace. */
export const emptyState: EmptyWorkspace = (tx, workspaceId, limit) =>
  emptyOne(tx, { next: OF_WORKSPACE, values: [workspaceId], limit, last: deleteSpace });

/** Deletes the state of deleted end users and expired entries in the background. */
export function statePurge(pool: Pool, log: Logger): Background {
  return repeat({ name: 'purging stored state', everyMs: EVERY_MS, log }, (stopping, aside) =>
    purgeState({ pool, stopping, aside }),
  );
}

/** Deletes the state of deleted end users, and then expired entries. */
export async function purgeState(purging: Purging): Promise<void> {
  await eachSpace(purging, ENDED, emptyEnded);
  await eachSpace(purging, EXPIRED, expireSome);
}

interface Purging {
  pool: Pool;
  stopping?: AbortSignal;
  aside: PutAside;
}

/** Processes one space after another until none is left, or until another process has locked the next space. */
async function eachSpace(
  { pool, stopping, aside }: Purging,
  next: string,
  work: (tx: PoolClient, id: string) => Promise<number>,
): Promise<void> {
  while (!stopping?.aborted) {
    const { rows } = await pool.query<{ id: string }>(next, [aside.keys()]);
    const id = rows[0]?.id;
    if (id === undefined) return;
    let isOurs = true;
    await aside.attempt(id, async () => (isOurs = (await inTransaction(pool, (tx) => work(tx, id))) > 0));
    if (!isOurs) return;
  }
}

const emptyEnded = (tx: PoolClient, id: string): Promise<number> =>
  emptyOne(tx, { next: ENDED_ONE, values: [id], limit: BATCH_ROWS, last: countSpace });

interface Emptying {
  /** The query that selects and locks the space. */
  next: string;
  values: unknown[];
  limit: number;
  /** Called when the space is empty. */
  last: (tx: PoolClient, orgId: string, spaceId: string) => Promise<unknown>;
}

/** Deletes up to `limit` entries of a space. Returns the number of rows that it changed. */
async function emptyOne(tx: PoolClient, { next, values, limit, last }: Emptying): Promise<number> {
  const { rows } = await tx.query<Space>(next, values);
  if (!rows[0]) return 0;
  const { orgId, id } = rows[0];
  const deleted = (await tx.query(DELETE_ANY, [orgId, id, limit])).rowCount ?? 0;
  if (deleted === limit) return deleted;
  await last(tx, orgId, id);
  return deleted + 1;
}

/** Deletes one batch of expired entries of a space. A retention rule cannot do this, because the space must be counted again to free its quota. */
async function expireSome(tx: PoolClient, id: string): Promise<number> {
  const { rows } = await tx.query<Space>(ONE, [id]);
  if (!rows[0]) return 0;
  const { orgId } = rows[0];
  const { rowCount } = await tx.query(DELETE_EXPIRED, [orgId, id, BATCH_ROWS]);
  await countSpace(tx, orgId, id);
  return rowCount ?? 0;
}

/** Deletes spaces that have been empty for a day, including ended spaces. */
export const EMPTY_SPACES: RetentionRule = {
  table: 'execution.state_spaces',
  key: 'id',
  oldest: 'written_at',
  expired: "entries = 0 AND written_at < now() - interval '1 day'",
};
