import { StateError } from '@drawbridge/piece-kit';
import { type PoolClient } from 'pg';

const MIB = 1024 * 1024;
/** Limits of the stored state of one owner (an end user, a workspace or an externalId), and of an organization. */
export const QUOTA = { entries: 10_000, bytes: 256 * MIB, organizationBytes: 2_048 * MIB };

/**
 * Counts a space again, and changes the total of the organization by the difference, so that the total equals the sum of its spaces. Only this
 * statement and DELETE change the total.
 */
const COUNT = `
  WITH old AS (SELECT bytes FROM execution.state_spaces WHERE org_id = $1 AND id = $2),
  size AS (
    SELECT count(*)::int AS entries, coalesce(sum(bytes), 0)::bigint AS bytes
    FROM execution.state_entries WHERE org_id = $1 AND space_id = $2),
  space AS (
    UPDATE execution.state_spaces SET entries = size.entries, bytes = size.bytes FROM size WHERE org_id = $1 AND id = $2)
  INSERT INTO execution.state_totals (org_id, bytes) SELECT $1::uuid, size.bytes - old.bytes FROM old, size
  ON CONFLICT (org_id) DO UPDATE SET bytes = state_totals.bytes + excluded.bytes
  RETURNING (SELECT entries FROM size) AS entries, (SELECT bytes FROM size)::float8 AS bytes,
    state_totals.bytes::float8 AS "organizationBytes"`;
const DELETE = `
  WITH gone AS (DELETE FROM execution.state_spaces WHERE org_id = $1 AND id = $2 RETURNING bytes)
  UPDATE execution.state_totals SET bytes = state_totals.bytes - gone.bytes FROM gone WHERE org_id = $1`;

const DELETE_EXPIRED = `
  DELETE FROM execution.state_entries WHERE org_id = $1 AND space_id = $2 AND expires_at <= now()`;

export interface Counted {
  entries: number;
  bytes: number;
  organizationBytes: number;
}

/** Counts the entries and bytes of a space (the stored state of one owner). Must be called after the changes, while the lock of the space is held. */
export async function countSpace(tx: PoolClient, orgId: string, spaceId: string): Promise<Counted> {
  const { rows } = await tx.query<Counted>(COUNT, [orgId, spaceId]);
  return rows[0] ?? { entries: 0, bytes: 0, organizationBytes: 0 };
}

/** Deletes an empty space and subtracts its size from the organization's total. */
export async function deleteSpace(tx: PoolClient, orgId: string, spaceId: string): Promise<void> {
  await tx.query(DELETE, [orgId, spaceId]);
}

/**
 * Enforces the quota of a space. Must be called after the write, so that replaced entries are not counted. If the quota is exceeded, deletes expired
 * entries and counts again. Throws StateError.
 */
export async function requireRoom(tx: PoolClient, orgId: string, spaceId: string): Promise<void> {
  if (tooMuchOf(await countSpace(tx, orgId, spaceId)) === undefined) return;
  await tx.query(DELETE_EXPIRED, [orgId, spaceId]);
  const most = tooMuchOf(await countSpace(tx, orgId, spaceId));
  if (most === undefined) return;
  throw new StateError('QUOTA_EXCEEDED', `The limit of ${most} is exceeded. Delete entries first`);
}

function tooMuchOf({ entries, bytes, organizationBytes }: Counted): string | undefined {
  if (entries > QUOTA.entries) return `${QUOTA.entries} entries`;
  if (bytes > QUOTA.bytes) return `${QUOTA.bytes / MIB} MiB`;
  if (organizationBytes > QUOTA.organizationBytes) return `${QUOTA.organizationBytes / MIB} MiB of the organization`;
  return undefined;
}
