import { ApiError, suspended } from '@drawbridge/contracts';
import { type ConnectionRow, type Transaction } from './database.js';
import { type SealedCredential } from './envelope-encryption.js';

interface Replacement {
  integrationName: string;
  /** The end user who owns the connection, if any. */
  endUserRecordId?: string | null;
  type: string;
  credential: SealedCredential;
  oauthAppId?: string | null;
}

/**
 * Replaces the credential of a connection. The connection keeps its id and name, becomes ACTIVE, and starts a new generation, which earlier approvals
 * do not cover. Throws DUPLICATE for a connection of another integration or end user, FORBIDDEN for a suspended one. The previous grant is not
 * revoked: if the same account reconnects, Google and others would revoke the new grant with it.
 */
export async function replaceCredential(
  tx: Transaction,
  { id, orgId, externalId, integrationName: own, endUserRecordId: whose, suspendedAt, suspensionReason }: ConnectionRow,
  { integrationName, endUserRecordId = null, type, credential, oauthAppId = null }: Replacement,
): Promise<void> {
  if (own !== integrationName) throw new ApiError('DUPLICATE', `${externalId} is a connection of ${own}`);
  // Otherwise one end user's credential would belong to another end user, and be deleted with that one.
  if (whose !== endUserRecordId)
    throw new ApiError('DUPLICATE', `${externalId} is a connection of another end user, or of none`);
  if (suspendedAt) throw suspended('Connection', id, suspensionReason);
  const { sealed, wrappedKey, masterKeyId } = credential;
  await tx.$executeRaw`
    UPDATE connections.connections SET type = ${type}, sealed = ${sealed}, wrapped_key = ${wrappedKey},
      master_key_id = ${masterKeyId}, credential_generation = credential_generation + 1, oauth_app_id = ${oauthAppId}::uuid, status = 'ACTIVE', error = NULL, expires_at = NULL,
      due_at = NULL, refresh_at = NULL, refresh_until = NULL, refresh_failures = 0, retry_at = NULL, updated_at = now()
    WHERE org_id = ${orgId}::uuid AND id = ${id}::uuid`;
}
