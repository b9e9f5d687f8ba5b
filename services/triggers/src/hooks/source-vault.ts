import { ApiError } from '@drawbridge/contracts';
import { type SourceSecretServiceDefinition } from '@drawbridge/proto/drawbridge/connections/v1/source_secrets';
import { type Client } from '@drawbridge/rpc';
import { type Source } from '../gen/prisma/client.js';
import { type SourceSecrets } from '../secrets/opened-secrets.js';

export type Vault = Pick<
  Client<SourceSecretServiceDefinition>,
  'openSourceSecrets' | 'putSourceSecrets' | 'deleteSourceSecrets'
>;

type Owner = Pick<Source, 'id' | 'orgId' | 'workspaceId' | 'connectionId'>;

/** Returns the current secrets; undefined if there are none because enabling failed or the workspace is deleted. */
export async function readSecrets(
  vault: Vault,
  { id, orgId }: Pick<Owner, 'id' | 'orgId'>,
): Promise<SourceSecrets | undefined> {
  try {
    const { secretsJson } = await vault.openSourceSecrets({ sourceId: id, orgId });
    return JSON.parse(secretsJson) as SourceSecrets;
  } catch (error) {
    if (error instanceof ApiError && error.code === 'NOT_FOUND') return undefined;
    throw error;
  }
}

/** Throws CONNECTION_REQUIRED if the source's connection was deleted meanwhile. */
export async function replaceSecrets(vault: Vault, source: Owner, secrets: SourceSecrets): Promise<void> {
  const { id: sourceId, orgId, workspaceId: placeId, connectionId } = source;
  const of = { sourceId, orgId, placeId, connectionId: connectionId ?? undefined };
  await vault.putSourceSecrets({ ...of, secretsJson: JSON.stringify(secrets) });
}
