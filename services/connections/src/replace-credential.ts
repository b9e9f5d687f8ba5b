import { ApiError, suspended } from '@drawbridge/contracts';
import { type ConnectionRow, type Transaction } from './database.js';
import { type SealedCredential } from './envelope-encryption.js';

interface Replacement {
  integrationName: string;
  /** Of whom it is, where it is somebody's. */
  endUserRecordId?: string | null;
  type: string;
  credential: SealedCredential;
  oauthAppId?: string | null;
}

/**
 * Puts another credential in place of the one of a connection: it keeps its id and its name, is ACTIVE, and starts a new generation,
 * which earlier approvals do not cover. Throws DUPLICATE for a connection of another integration or end user, FORBIDDEN for a suspended
 * one. What was granted before is not given back at the provider: where the same account connects anew, Google and others would end the
 * new grant with it.
 */
export async function replaceCredential(
  tx: Transaction,
  { id, orgId, externalId, integrationName: own, endUserRecordId: whose, suspendedAt, suspensionReason }: ConnectionRow,
  { integrationName, endUserRecordId = null, type, credential, oauthAppId = null }: Replacement,
): Promise<void> {
  if (own !== integrationName) throw new ApiError('DUPLICATE', `${externalId} is a connection of ${own}`);
  // Else their credential would be another person's, and go with that one alone.
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
