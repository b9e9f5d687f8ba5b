import { ApiError, suspended } from '@drawbridge/contracts';
import { eventValues, insertEvent, newEvent, type NewEvent } from '@drawbridge/events';
import { type Pool } from 'pg';
import { type ConnectionRow, type Transaction } from './database.js';
import { type SealedCredential } from './envelope-encryption.js';

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

interface Replacement {
  integrationName: string;
  /** The end user who owns the connection, if any. */
  endUserRecordId?: string | null;
  type: string;
  credential: SealedCredential;
  oauthAppId?: string | null;
  accountLabel?: string | null;
}

/**
 * Replaces the credential of a connection. The connection keeps its id and name, becomes ACTIVE, and starts a new generation, which earlier approvals
 * do not cover. Throws DUPLICATE for a connection of another integration or end user, FORBIDDEN for a suspended one. The previous grant is not
 * revoked: if the same account reconnects, Google and others would revoke the new grant with it.
 */
export async function replaceCredential(
  tx: Transaction,
  { id, orgId, externalId, integrationName: own, endUserRecordId: owner, suspendedAt, suspensionReason }: ConnectionRow,
  { integrationName, endUserRecordId = null, type, credential, oauthAppId = null, accountLabel = null }: Replacement,
): Promise<void> {
  if (own !== integrationName)
    throw new ApiError('DUPLICATE', `Connection ${externalId} belongs to the integration ${own}`);
  // Otherwise one end user's credential would belong to another end user, and be deleted with that one.
  if (owner !== endUserRecordId)
    throw new ApiError('DUPLICATE', `Connection ${externalId} belongs to another end user or to none`);
  if (suspendedAt) throw suspended('Connection', id, suspensionReason);
  const { sealed, wrappedKey, masterKeyId } = credential;
  await tx.$executeRaw`
    UPDATE connections.connections SET type = ${type}, sealed = ${sealed}, wrapped_key = ${wrappedKey},
      master_key_id = ${masterKeyId}, credential_generation = credential_generation + 1, oauth_app_id = ${oauthAppId}::uuid,
      account_label = ${accountLabel}, status = 'ACTIVE', error = NULL, expires_at = NULL,
      due_at = NULL, refresh_at = NULL, refresh_until = NULL, refresh_failures = 0, retry_at = NULL, updated_at = now()
    WHERE org_id = ${orgId}::uuid AND id = ${id}::uuid`;
}
