import { ApiError, suspended, toStorable } from '@drawbridge/contracts';
import { eventValues, insertEvent, newEvent, type NewEvent } from '@drawbridge/events';
import { type Pool } from 'pg';
import { type ConnectionRow, type Transaction } from './database.js';
import { type SealedCredential } from './envelope-encryption.js';

/**
 * SQL expression of the version of a credential: a hash of the encrypted credential, which does not reveal the credential. Each encryption uses a
 * random key and nonce, so encrypting the same credential again changes its version.
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
  /** The version (see CREDENTIAL_VERSION) of the credential that the provider rejected. */
  version: string;
  /** The error code and message of the provider, without secrets. */
  code: string;
  message: string;
}

/**
 * Sets the status ERROR, so that the user has to reconnect the connection. Returns true if it changed the connection. An error for a credential that
 * was replaced in the meantime, or a second error, changes nothing, so that the time and message of the first error are preserved. `entry` is the
 * audit log entry.
 */
export async function refuseConnection(
  pool: Pool,
  { orgId, connectionId, version, ...said }: Refused,
  entry: NewEvent,
): Promise<boolean> {
  // A provider chooses both texts, and PostgreSQL would refuse some of them.
  const [code, message] = [toStorable(said.code), toStorable(said.message)];
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
 * do not cover. Throws DUPLICATE for a connection of another integration or end user, and FORBIDDEN for a suspended connection. The previous grant is
 * not revoked, because Google and other providers would also revoke the new grant of the same account.
 */
export async function replaceCredential(
  tx: Transaction,
  { id, orgId, externalId, integrationName: own, endUserRecordId: owner, suspendedAt, suspensionReason }: ConnectionRow,
  { integrationName, endUserRecordId = null, type, credential, oauthAppId = null, accountLabel = null }: Replacement,
): Promise<void> {
  if (own !== integrationName)
    throw new ApiError(
      'DUPLICATE',
      `Connection ${externalId} belongs to the integration ${own}, not to ${integrationName}`,
    );
  // Without this check, one end user would own the credential of another end user, and deleting the owner would delete it.
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
