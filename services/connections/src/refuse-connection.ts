import { eventValues, insertEvent, newEvent, type NewEvent } from '@drawbridge/events';
import { type Pool } from 'pg';

/** SQL: names a credential without telling it. Sealing draws a key and a nonce, so that even the same one sealed again has another. */
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
  /** Of the credential. */
  version: string;
  /** The provider's own words, without secrets. */
  code: string;
  message: string;
}

/**
 * Marks the connection so that its user must reconnect; answers whether it did. A refusal that comes late, when there is another
 * credential, or a second one, changes nothing: the first one's time and words stay. `entry` tells the audit log.
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
