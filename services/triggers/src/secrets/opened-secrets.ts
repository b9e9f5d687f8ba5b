import { isDeepStrictEqual } from 'node:util';
import { type SourceSecretServiceDefinition } from '@drawbridge/proto/drawbridge/connections/v1/source_secrets';
import { type Client, memoize } from '@drawbridge/rpc';

const KEPT = { ttlMs: 60_000, max: 5_000 };
/** Requests with invalid signatures must not cause a vault call each. */
const LATELY = { ttlMs: 1_000, max: 5_000 };

/** The secrets of a source, stored in the vault. */
export interface SourceSecrets {
  /** The caller's headers, sent with each callback. */
  callbackHeaders: Record<string, string>;
  /** Signs callbacks; begins with `whsec_`. */
  signingSecret: string;
  /** The signing secret that we gave the provider. */
  hookSecret: string;
  /** The signing secret that the provider chose instead. */
  providerSecret?: string;
}

interface Owner {
  id: string;
  orgId: string;
}

export interface OpenedSecrets {
  /** Returns secrets that are at most a minute old. Throws NOT_FOUND. */
  open(source: Owner): Promise<SourceSecrets>;
  /** Returns secrets that are at most a second old, because they may have been replaced. */
  reopen(source: Owner): Promise<SourceSecrets>;
}

/** Caches secrets in memory only, for sources that recently received events. */
export function openedSecrets(vault: Pick<Client<SourceSecretServiceDefinition>, 'openSourceSecrets'>): OpenedSecrets {
  const ask = async (sourceId: string, orgId: string): Promise<SourceSecrets> => {
    const { secretsJson } = await vault.openSourceSecrets({ sourceId, orgId });
    return JSON.parse(secretsJson);
  };
  const [kept, lately] = [memoize(KEPT, ask), memoize(LATELY, ask)];
  return {
    open: ({ id, orgId }) => kept(id, orgId),
    async reopen({ id, orgId }) {
      const [secrets, before] = await Promise.all([lately(id, orgId), kept(id, orgId)]);
      if (!isDeepStrictEqual(secrets, before)) kept.forget(id);
      return secrets;
    },
  };
}
