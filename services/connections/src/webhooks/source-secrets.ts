import { notFound } from '@drawbridge/contracts';
import {
  type PutSourceSecretsRequest,
  type SourceSecretServiceDefinition,
} from '@drawbridge/proto/drawbridge/connections/v1/source_secrets';
import { type Implementation } from '@drawbridge/rpc';
import { type Db } from '../database.js';
import { type Envelope, type SealedCredential } from '../envelope-encryption.js';
import { type WorkspaceChecks } from '../workspaces.js';

/** Of one source, as JSON: triggers holds what goes into it to less. */
const MAX_BYTES = 64 * 1024;

export interface SourceSecretParts {
  db: Db;
  envelope: Envelope;
  workspaces: Pick<WorkspaceChecks, 'requireNotDeleted'>;
}

export const sourceSecrets = (parts: SourceSecretParts): Implementation<SourceSecretServiceDefinition> => ({
  async putSourceSecrets(request) {
    await put(parts, request);
    return {};
  },

  openSourceSecrets: async (named) => ({ secretsJson: await open(parts, named) }),

  async deleteSourceSecrets({ orgId, sourceId: id }) {
    await parts.db.sourceSecret.deleteMany({ where: { id, orgId } });
    return {};
  },
});

/** Another organization's row stays as it is: it is told of as absent. */
async function put(
  { db, envelope, workspaces }: SourceSecretParts,
  { sourceId: id, orgId, placeId, secretsJson }: PutSourceSecretsRequest,
): Promise<void> {
  if (Buffer.byteLength(secretsJson) > MAX_BYTES)
    throw new Error(`The secrets of a source are at most ${MAX_BYTES} bytes`);
  const { sealed, wrappedKey, masterKeyId } = envelope.seal(secretsJson, ownerOf({ orgId, id }));
  await db.$transaction(async (tx) => {
    await workspaces.requireNotDeleted(tx, placeId);
    const written = await tx.$executeRaw`
      INSERT INTO connections.source_secrets (id, org_id, workspace_id, sealed, wrapped_key, master_key_id)
      VALUES (${id}::uuid, ${orgId}::uuid, ${placeId}::uuid, ${sealed}, ${wrappedKey}, ${masterKeyId})
      ON CONFLICT (id) DO UPDATE
      SET sealed = excluded.sealed, wrapped_key = excluded.wrapped_key, master_key_id = excluded.master_key_id
      WHERE source_secrets.org_id = excluded.org_id`;
    if (written === 0) throw notFound('Trigger source', id);
  });
}

async function open(
  { db, envelope }: SourceSecretParts,
  { orgId, sourceId: id }: { orgId: string; sourceId: string },
): Promise<string> {
  const [row] = await db.$queryRaw<SealedCredential[]>`
    SELECT sealed, wrapped_key AS "wrappedKey", master_key_id AS "masterKeyId" FROM connections.source_secrets
    WHERE org_id = ${orgId}::uuid AND id = ${id}::uuid`;
  if (!row) throw notFound('Trigger source', id);
  // What the driver gives are views of bytes that it may hold on to.
  const { masterKeyId } = row;
  const bytes = { sealed: Buffer.from(row.sealed), wrappedKey: Buffer.from(row.wrappedKey), masterKeyId };
  return envelope.open(bytes, ownerOf({ orgId, id }));
}

function ownerOf({ orgId, id }: { orgId: string; id: string }) {
  return { orgId, kind: 'trigger source', id } as const;
}
