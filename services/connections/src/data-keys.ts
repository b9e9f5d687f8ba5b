import { newId, notFound } from '@drawbridge/contracts';
import { type DataKeyServiceDefinition } from '@drawbridge/proto/drawbridge/connections/v1/data_keys';
import { caller, type Implementation } from '@drawbridge/rpc';
import { type WrappedKey } from './envelope-encryption.js';
import { type Parts } from './parts.js';

/**
 * Implements the RPCs for data keys, with which another service encrypts data of a workspace. A row stores the data key encrypted with the master
 * key.
 */
export const dataKeys = ({
  db,
  envelope,
  workspaces,
}: Pick<Parts, 'db' | 'envelope' | 'workspaces'>): Implementation<DataKeyServiceDefinition> => ({
  async createDataKey({ workspaceId, expiresAt }) {
    await workspaces.require(workspaceId);
    const [id, { orgId }] = [newId(), caller()];
    const { key, ...wrapped } = envelope.createKey({ orgId, kind: 'data key', id });
    await db.$transaction(async (tx) => {
      await workspaces.requireNotDeleted(tx, workspaceId);
      await tx.dataKey.create({ data: { id, orgId, workspaceId, expiresAt: new Date(expiresAt), ...wrapped } });
    });
    return { id, key };
  },

  async openDataKey({ workspaceId, id }) {
    await workspaces.require(workspaceId);
    const { orgId } = caller();
    const [row] = await db.$queryRaw<WrappedKey[]>`
      SELECT wrapped_key AS "wrappedKey", master_key_id AS "masterKeyId" FROM connections.data_keys
      WHERE org_id = ${orgId}::uuid AND workspace_id = ${workspaceId}::uuid AND id = ${id}::uuid AND expires_at > now()`;
    if (!row) throw notFound('Data key', id);
    // Copies the bytes, because the driver returns a view of a buffer that it may reuse.
    const wrapped = { wrappedKey: Buffer.from(row.wrappedKey), masterKeyId: row.masterKeyId };
    return { id, key: envelope.openKey(wrapped, { orgId, kind: 'data key', id }) };
  },
});
