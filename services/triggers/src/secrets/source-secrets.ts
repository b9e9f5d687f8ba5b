import { isDeepStrictEqual } from 'node:util';
import { ApiError } from '@drawbridge/contracts';
import { type SourceSecretServiceDefinition } from '@drawbridge/proto/drawbridge/connections/v1/source_secrets';
import { type Client, memoize } from '@drawbridge/rpc';
import { type Source } from '../gen/prisma/client.js';

const KEPT = { ttlMs: 60_000, max: 5_000 };
/** The short cache limits calls of the connections service, because each request with an invalid signature would otherwise cause a call. */
const LATELY = { ttlMs: 1_000, max: 5_000 };

/** The secrets of a trigger source, which the connections service stores encrypted. */
export interface SourceSecrets {
  /** Headers that the caller configured and that are sent with each callback, for example with credentials. */
  callbackHeaders: Record<string, string>;
  /** The key with which callbacks are signed. It starts with `whsec_`. */
  signingSecret: string;
  /** The secret that Drawbridge registered at the provider, which signs its requests with it. */
  hookSecret: string;
  /** The secret that the provider chose instead of `hookSecret`. */
  providerSecret?: string;
}

type SourceId = Pick<Source, 'id' | 'orgId'>;

export type OpenedSecrets = ReturnType<typeof openedSecrets>;

/**
 * Returns a cache of the secrets of sources that recently received events. Secrets are cached only in memory, because only the connections service
 * may store them.
 */
export function openedSecrets(vault: Pick<Vault, 'openSourceSecrets'>) {
  const ask = (id: string, orgId: string): Promise<SourceSecrets> => openSecrets(vault, { id, orgId });
  const [kept, lately] = [memoize(KEPT, ask), memoize(LATELY, ask)];
  return {
    /** Returns secrets that are at most a minute old. Throws NOT_FOUND. */
    open: ({ id, orgId }: SourceId): Promise<SourceSecrets> => kept(id, orgId),

    /** Returns secrets that are at most a second old. Used if a signature is invalid, because the secret may have been replaced. */
    async reopen({ id, orgId }: SourceId): Promise<SourceSecrets> {
      const [secrets, before] = await Promise.all([lately(id, orgId), kept(id, orgId)]);
      if (!isDeepStrictEqual(secrets, before)) kept.forget(id);
      return secrets;
    },
  };
}

export type Vault = Pick<
  Client<SourceSecretServiceDefinition>,
  'openSourceSecrets' | 'putSourceSecrets' | 'deleteSourceSecrets'
>;

type Owner = Pick<Source, 'id' | 'orgId' | 'workspaceId' | 'connectionId'>;

/** Returns the current secrets, or undefined if there are none because enabling failed or the workspace was deleted. */
export async function readSecrets(vault: Vault, source: SourceId): Promise<SourceSecrets | undefined> {
  try {
    return await openSecrets(vault, source);
  } catch (error) {
    if (error instanceof ApiError && error.code === 'NOT_FOUND') return undefined;
    throw error;
  }
}

/** Stores new secrets. Throws CONNECTION_REQUIRED if the connection of the source was deleted. */
export async function replaceSecrets(vault: Vault, source: Owner, secrets: SourceSecrets): Promise<void> {
  const { id: sourceId, orgId, workspaceId: placeId, connectionId } = source;
  const of = { sourceId, orgId, placeId, connectionId: connectionId ?? undefined };
  await vault.putSourceSecrets({ ...of, secretsJson: JSON.stringify(secrets) });
}

async function openSecrets(vault: Pick<Vault, 'openSourceSecrets'>, { id, orgId }: SourceId): Promise<SourceSecrets> {
  const { secretsJson } = await vault.openSourceSecrets({ sourceId: id, orgId });
  return JSON.parse(secretsJson) as SourceSecrets;
}
