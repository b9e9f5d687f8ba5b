import { type Pool } from 'pg';
import { type Transaction } from '../database.js';

/** Who is about to end a session: nobody else can, until they let go of it or are long gone. */
export interface Turn {
  orgId: string;
  id: string;
  turn: number;
}

/** What a process that died held is free after that: longer than a provider may take. */
const HELD = "interval '2 minutes'";
const THIS = 'org_id = $1 AND id = $2';
export const OPEN = `(status = 'PENDING' OR (status = 'CONNECTING' AND updated_at < now() - ${HELD}))`;
/** As everybody is told it: what nobody is about to end any more may be begun again. */
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
 * PENDING → CONNECTING. Undefined where somebody else was quicker, or it has ended. `nonce`: of the authorization that is to be used
 * up by it.
 */
export async function takeTurn(pool: Pool, orgId: string, id: string, nonce?: string): Promise<Turn | undefined> {
  const { rows } = await pool.query<{ turn: number }>(TAKE, [orgId, id, nonce ?? null]);
  return rows[0] && { orgId, id, turn: rows[0].turn };
}

/** CONNECTING → PENDING: the person may try again. */
export async function letGo(pool: Pool, { orgId, id, turn }: Turn): Promise<void> {
  await pool.query(LET_GO, [orgId, id, turn]);
}

/** CONNECTING → FAILED. */
export async function fail(pool: Pool, { orgId, id, turn }: Turn, error: string): Promise<void> {
  await pool.query(FAIL, [orgId, id, turn, error]);
}

/** CONNECTING → COMPLETED, in the commit of its connection. Throws LostTurn, for then another one ended it. */
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

/** It took so long that somebody else took the session. */
export class LostTurn extends Error {
  override readonly name = 'LostTurn';
}
