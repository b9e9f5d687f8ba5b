import { newId } from '@drawbridge/contracts';
import { type NewStateEntry, type StateEntry, StateError } from '@drawbridge/piece-kit';
import { type PoolClient } from 'pg';
import { requireRoom } from './count-space.js';
import { type EntryRow, HEAD, LIVE, toEntry } from './entry-rows.js';
import { storedWords } from './search-words.js';
import { SPACE, type StateSpace } from './state-space.js';

/**
 * Locks the row of a space (the stored state of one owner), and creates it if needed. Every change takes this lock, so that changes are serialized
 * and sizes are counted exactly.
 */
const LOCK = `
  INSERT INTO execution.state_spaces (id, org_id, workspace_id, scope, owner, written_at) VALUES ($1, $2, $3, $4, $5, now())
  ON CONFLICT (workspace_id, scope, owner) DO UPDATE SET written_at = now(), seq = state_spaces.seq + 1
  WHERE state_spaces.org_id = $2 AND state_spaces.ended_at IS NULL RETURNING id`;
const LOCK_KNOWN = `${SPACE} FOR UPDATE`;
const LIVES = 'SELECT execution.workspace_lives($1::uuid) AS lives';
const FIND = `
  SELECT ${HEAD}, value FROM execution.state_entries
  WHERE org_id = $1 AND space_id = $2 AND integration = $3 AND key = $4 AND ${LIVE}`;
const PUT = `
  INSERT INTO execution.state_entries
    (org_id, space_id, integration, key, value, note, words, bytes, created_at, expires_at, seq)
  VALUES ($1, $2, $3, $4, $5, $6, array_to_tsvector($7::text[]), $8, coalesce($9::timestamptz, now()),
    coalesce($10::timestamptz, now() + $11::float8 * interval '1 second'),
    (SELECT seq FROM execution.state_spaces WHERE org_id = $1 AND id = $2))
  ON CONFLICT (space_id, integration, key) DO UPDATE SET value = excluded.value, note = excluded.note, words = excluded.words,
    bytes = excluded.bytes, created_at = excluded.created_at, expires_at = excluded.expires_at,
    seq = CASE WHEN state_entries.expires_at <= now() THEN excluded.seq ELSE state_entries.seq END
  WHERE state_entries.org_id = $1
  RETURNING ${HEAD}`;

/**
 * The approximate overhead of a row and its index entries, in bytes. It is added to the size of each entry, so that small entries count towards the
 * quota.
 */
export const ROW_BYTES = 200;

/** Locks the space, and creates it if needed. Throws StateError if the workspace or the end user was deleted. */
export async function lockSpace(tx: PoolClient, { orgId, workspaceId, scope, owner }: StateSpace): Promise<string> {
  const { rows } = await tx.query<{ lives: boolean }>(LIVES, [workspaceId]);
  if (!rows[0]?.lives) throw new StateError('WORKSPACE_DELETED', 'The workspace is deleted');
  const locked = await tx.query<{ id: string }>(LOCK, [newId(), orgId, workspaceId, scope, owner]);
  const id = locked.rows[0]?.id;
  if (id !== undefined) return id;
  if (scope === 'end_user_record') throw new StateError('END_USER_DELETED', 'The end user is deleted');
  throw new StateError('WORKSPACE_DELETED', 'The workspace belongs to another organization');
}

/** Locks a space for a deletion. Returns undefined if the space does not exist. */
export async function lockKnownSpace(tx: PoolClient, space: StateSpace): Promise<string | undefined> {
  const { orgId, workspaceId, scope, owner } = space;
  const { rows } = await tx.query<{ id: string }>(LOCK_KNOWN, [orgId, workspaceId, scope, owner]);
  return rows[0]?.id;
}

/** Writes the entry that `change` returns. Throws StateError if the quota is exceeded, and the errors of `change`. */
export async function writeEntry(
  tx: PoolClient,
  space: StateSpace,
  key: string,
  change: (old: StateEntry | undefined) => NewStateEntry,
): Promise<StateEntry> {
  const { orgId, integration } = space;
  const id = await lockSpace(tx, space);
  const place = [orgId, id, integration, key];
  const { rows } = await tx.query<EntryRow>(FIND, place);
  const old = rows[0] && toEntry(rows[0]);
  const { value, note = {}, text, expires } = change(old);
  const [valueJson, noteJson] = [JSON.stringify(value), JSON.stringify(note)];
  const bytes = [key, valueJson, noteJson, text ?? ''].reduce(
    (total, part) => total + Buffer.byteLength(part),
    ROW_BYTES,
  );
  const kept = expires === 'keep' ? old?.expiresAt : undefined;
  const seconds = typeof expires === 'object' ? expires.inSeconds : null;
  const written = [
    valueJson,
    noteJson,
    text === undefined ? null : storedWords(text),
    bytes,
    old?.createdAt,
    kept,
    seconds,
  ];
  const put = await tx.query<EntryRow>(PUT, [...place, ...written]);
  await requireRoom(tx, orgId, id);
  return toEntry({ ...put.rows[0]!, value });
}
