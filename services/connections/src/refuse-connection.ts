import { type RefuseConnectionRequest } from '@drawbridge/proto/drawbridge/connections/v1/vault';
import { auditEvent, eventValues, insertEvent } from '@drawbridge/events';
import { type Pool } from 'pg';

/** SQL: names a credential without telling it. Sealing draws a key and a nonce, so that even the same one sealed again has another. */
export const CREDENTIAL_VERSION = "encode(sha256(sealed), 'hex')";

const REFUSE = `
  WITH refused AS (
    UPDATE connections.connections SET status = 'ERROR', error = $4::jsonb, updated_at = now()
    WHERE id = $1 AND org_id = $2 AND status = 'ACTIVE' AND ${CREDENTIAL_VERSION} = $3
    RETURNING 1)
  ${insertEvent('connections', { first: 5, from: 'refused' })}`;

/**
 * Marks the connection so that its user must reconnect; answers whether it did. A refusal that comes late, when there is another
 * credential, or a second one, changes nothing: the first one's time and words stay.
 */
export async function refuseConnection(
  pool: Pool,
  orgId: string,
  { connectionId, workspaceId, version, code, message }: RefuseConnectionRequest,
): Promise<boolean> {
  const error = JSON.stringify({ code, message, since: new Date().toISOString() });
  const event = auditEvent({ id: connectionId, workspaceId, reason: 'the provider refused it' });
  const { rowCount } = await pool.query(REFUSE, [connectionId, orgId, version, error, ...eventValues(event)]);
  return rowCount === 1;
}
