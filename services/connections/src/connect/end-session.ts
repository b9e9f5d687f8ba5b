import { type Pool } from 'pg';
import { type Transaction } from '../database.js';

/** The lock on a session. No other process can end the session until it is released or expires. */
export interface Turn {
  orgId: string;
  id: string;
  turn: number;
}

/** A lock expires after this, in case its process died: longer than a provider may take. */
const HELD = "interval '2 minutes'";
const THIS = 'org_id = $1 AND id = $2';
export const OPEN = `(status = 'PENDING' OR (status = 'CONNECTING' AND updated_at < now() - ${HELD}))`;
/** The public status: a session whose lock expired can be started again. */
export const STATUS = `CASE WHEN ${OPEN} THEN 'PENDING' ELSE status END`;

const TAKE = `
  UPDATE connections.connect_sessions SET status = 'CONNECTING', turn = turn + 1, nonce = NULL, updated_at = now()
  WHERE ${THIS} AND ${OPEN} AND expires_at > now() AND ($3::text IS NULL OR nonce = $3)
  RETURNING turn`;
const HELD_BY = `${THIS} AND turn = $3 AND status = 'CONNECTING'`;
const LET_GO = `UPDATE connections.connect_sessions SET status = 'PENDING', updated_at = now() WHERE ${HELD_BY}`;
const FAIL = `
  UPDATE connections.connect_sessions SET status = 'FAILED', error = $4, updated_at = now() WHERE ${HELD_BY}`;

/**
 * PENDING → CONNECTING. Returns undefined if another process has the lock, or the session has ended. `nonce`: of the authorization that this uses up.
 */
export async function takeTurn(pool: Pool, orgId: string, id: string, nonce?: string): Promise<Turn | undefined> {
  const { rows } = await pool.query<{ turn: number }>(TAKE, [orgId, id, nonce ?? null]);
  return rows[0] && { orgId, id, turn: rows[0].turn };
}

/** CONNECTING → PENDING: the user may try again. */
export async function letGo(pool: Pool, { orgId, id, turn }: Turn): Promise<void> {
  await pool.query(LET_GO, [orgId, id, turn]);
}

/** CONNECTING → FAILED. */
export async function fail(pool: Pool, { orgId, id, turn }: Turn, error: string): Promise<void> {
  await pool.query(FAIL, [orgId, id, turn, error]);
}

/** CONNECTING → COMPLETED, in the transaction that stores its connection. Throws LostTurn if another process ended the session. */
export async function complete(
  tx: Pick<Transaction, 'connectSession'>,
  held: Turn,
  connectionId: string,
): Promise<void> {
  const { orgId, id, turn } = held;
  const { count } = await tx.connectSession.updateMany({
    where: { orgId, id, turn, status: 'CONNECTING' },
    data: { status: 'COMPLETED', connectionId },
  });
  if (count === 0) throw new LostTurn();
}

/** The lock expired, and another process took the session. */
export class LostTurn extends Error {
  override readonly name = 'LostTurn';
}
