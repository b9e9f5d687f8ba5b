import { isDeepStrictEqual } from 'node:util';
import { type SourceSecretServiceDefinition } from '@drawbridge/proto/drawbridge/connections/v1/source_secrets';
import { type Client, memoize } from '@drawbridge/rpc';

const KEPT = { ttlMs: 60_000, max: 5_000 };
/** Whoever sends what is not signed must not have the vault asked each time. */
const LATELY = { ttlMs: 1_000, max: 5_000 };

/** What the vault keeps of a source. */
export interface SourceSecrets {
  /** Of the caller, sent with each callback. */
  callbackHeaders: Record<string, string>;
  /** `whsec_…`: what callbacks are signed with. */
  signingSecret: string;
  /** What we gave the third party to sign with. */
  hookSecret: string;
  /** What it chose instead. */
  providerSecret?: string;
}

interface Owner {
  id: string;
  orgId: string;
}

export interface OpenedSecrets {
  /** As they were within the last minute. Throws NOT_FOUND. */
  open(source: Owner): Promise<SourceSecrets>;
  /** As they were within the last second: they may have been replaced. */
  reopen(source: Owner): Promise<SourceSecrets>;
}

/** In memory alone, and of the sources that were told something lately. */
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
