import { ApiError, notFound } from '@drawbridge/contracts';
import {
  type PutSourceSecretsRequest,
  type SourceSecretServiceDefinition,
} from '@drawbridge/proto/drawbridge/connections/v1/source_secrets';
import { type Implementation } from '@drawbridge/rpc';
import { type Transaction } from '../database.js';
import { type SealedCredential } from '../envelope-encryption.js';
import { type Parts } from '../parts.js';

/** Maximum size of the secrets of one trigger source (a registration at a provider), as JSON. The triggers service enforces lower limits. */
const MAX_BYTES = 64 * 1024;

export const sourceSecrets = (parts: Parts): Implementation<SourceSecretServiceDefinition> => ({
  async putSourceSecrets(request) {
    await put(parts, request);
    return {};
  },

  openSourceSecrets: async (named) => ({ secretsJson: await open(parts, named) }),

  async deleteSourceSecrets(named) {
    await remove(parts, named);
    return {};
  },
});

/** Stores the encrypted secrets of a trigger source. Throws NOT_FOUND and changes nothing if the source belongs to another organization. */
async function put(
  { db, envelope, workspaces }: Parts,
  { sourceId: id, orgId, placeId, secretsJson, connectionId }: PutSourceSecretsRequest,
): Promise<void> {
  if (Buffer.byteLength(secretsJson) > MAX_BYTES)
    throw new Error(`The secrets of a trigger source must have at most ${MAX_BYTES} bytes`);
  const { sealed, wrappedKey, masterKeyId } = envelope.seal(secretsJson, ownerOf({ orgId, id }));
  await db.$transaction(async (tx) => {
    await workspaces.requireNotDeleted(tx, placeId);
    if (connectionId !== undefined) await requireConnection(tx, { orgId, connectionId });
    const [before] = await tx.$queryRaw<Of[]>`
      SELECT connection_id AS "connectionId" FROM connections.source_secrets WHERE org_id = ${orgId}::uuid AND id = ${id}::uuid FOR UPDATE`;
    const written = await tx.$executeRaw`
      INSERT INTO connections.source_secrets (id, org_id, workspace_id, connection_id, sealed, wrapped_key, master_key_id)
      VALUES (${id}::uuid, ${orgId}::uuid, ${placeId}::uuid, ${connectionId ?? null}::uuid, ${sealed}, ${wrappedKey}, ${masterKeyId})
      ON CONFLICT (id) DO UPDATE SET connection_id = excluded.connection_id,
        sealed = excluded.sealed, wrapped_key = excluded.wrapped_key, master_key_id = excluded.master_key_id
      WHERE source_secrets.org_id = excluded.org_id`;
    if (written === 0) throw notFound('Trigger source', id);
    if (connectionId === undefined && before) await revokeSoon(tx, { orgId, id }, before);
  });
}

interface Of {
  connectionId: string | null;
}

/**
 * Locks the connection against deletion until the transaction ends. A later deletion then finds the secrets and retains the credential until the
 * source is unregistered. Throws CONNECTION_REQUIRED.
 */
async function requireConnection(
  tx: Transaction,
  { orgId, connectionId }: { orgId: string; connectionId: string },
): Promise<void> {
  const found = await tx.$queryRaw<object[]>`
    SELECT id FROM connections.connections WHERE org_id = ${orgId}::uuid AND id = ${connectionId}::uuid FOR KEY SHARE`;
  if (found.length > 0) return;
  const details = { reason: 'not_connected', connectionId };
  const message = 'The connection was deleted during this request. Connect the account again';
  throw new ApiError('CONNECTION_REQUIRED', message, { details });
}

async function remove({ db }: Parts, { orgId, sourceId: id }: { orgId: string; sourceId: string }): Promise<void> {
  await db.$transaction(async (tx) => {
    const [gone] = await tx.$queryRaw<Of[]>`
      DELETE FROM connections.source_secrets WHERE org_id = ${orgId}::uuid AND id = ${id}::uuid RETURNING connection_id AS "connectionId"`;
    if (gone) await revokeSoon(tx, { orgId, id }, gone);
  });
}

/**
 * Makes the revocation of a deleted connection due when its last trigger source was deleted. Until then, the revocation waits for at most 20 s,
 * because unregistering the sources needs the grant. A revocation that is older is already due or running.
 */
async function revokeSoon(
  tx: Transaction,
  { orgId, id }: { orgId: string; id: string },
  { connectionId }: Of,
): Promise<void> {
  if (connectionId === null) return;
  await tx.$executeRaw`
    UPDATE connections.revocations SET due_at = now()
    WHERE id = ${connectionId}::uuid AND org_id = ${orgId}::uuid AND created_at > now() - interval '20 seconds'
      AND NOT EXISTS (
        SELECT FROM connections.source_secrets other
        WHERE other.org_id = ${orgId}::uuid AND other.connection_id = ${connectionId}::uuid AND other.id <> ${id}::uuid)`;
}

async function open(
  { db, envelope }: Parts,
  { orgId, sourceId: id }: { orgId: string; sourceId: string },
): Promise<string> {
  const [row] = await db.$queryRaw<SealedCredential[]>`
    SELECT sealed, wrapped_key AS "wrappedKey", master_key_id AS "masterKeyId" FROM connections.source_secrets
    WHERE org_id = ${orgId}::uuid AND id = ${id}::uuid`;
  if (!row) throw notFound('Trigger source', id);
  // Copies the bytes, because the driver returns views of a buffer that it may reuse.
  const { masterKeyId } = row;
  const bytes = { sealed: Buffer.from(row.sealed), wrappedKey: Buffer.from(row.wrappedKey), masterKeyId };
  return envelope.open(bytes, ownerOf({ orgId, id }));
}

function ownerOf({ orgId, id }: { orgId: string; id: string }) {
  return { orgId, kind: 'trigger source', id } as const;
}
