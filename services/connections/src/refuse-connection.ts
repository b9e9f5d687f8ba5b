import { eventValues, insertEvent, newEvent, type NewEvent } from '@drawbridge/events';
import { type Pool } from 'pg';

/**
 * SQL: identifies a credential without revealing it. Sealing uses a random key and nonce, so the same credential has another version when it is
 * sealed again.
 */
export const CREDENTIAL_VERSION = "encode(sha256(sealed), 'hex')";

const REFUSE = `
  WITH refused AS (
    UPDATE connections.connections SET status = 'ERROR', error = $4::jsonb, updated_at = now(), refresh_at = NULL, refresh_until = NULL
    WHERE id = $1 AND org_id = $2 AND status = 'ACTIVE' AND ${CREDENTIAL_VERSION} = $3
    RETURNING 1),
  told AS (${insertEvent('connections', { first: 5, from: 'refused' })})
  ${insertEvent('connections', { first: 9, from: 'refused' })}`;

interface Refused {
  orgId: string;
  connectionId: string;
  /** The version of the credential. */
  version: string;
  /** The provider's message, without secrets. */
  code: string;
  message: string;
}

/**
 * Marks the connection so that its user must reconnect it. Returns whether it did. A late refusal of a replaced credential, or a second refusal,
 * changes nothing: the first one's time and message stay. `entry` is the audit log entry.
 */
export async function refuseConnection(
  pool: Pool,
  { orgId, connectionId, version, code, message }: Refused,
  entry: NewEvent,
): Promise<boolean> {
  const error = JSON.stringify({ code, message, since: new Date().toISOString() });
  const told = newEvent({ $case: 'connectionError', value: { connectionId, code, message } }, { orgId });
  const values = [connectionId, orgId, version, error, ...eventValues(told), ...eventValues(entry)];
  const { rowCount } = await pool.query(REFUSE, values);
  return rowCount === 1;
}
