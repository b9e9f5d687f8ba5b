import { notFound } from '@drawbridge/contracts';
import { type SourceSecrets, type Vault } from '../secrets/source-secrets.js';

export const SECRETS: SourceSecrets = { callbackHeaders: {}, signingSecret: 'whsec_x', hookSecret: 'ours' };

/** Returns a replacement, in memory, for the RPCs of the connections service that store the secrets of sources. */
export function memoryVault(): Vault & { kept: Map<string, SourceSecrets> } {
  const kept = new Map<string, SourceSecrets>();
  return {
    kept,
    async openSourceSecrets({ sourceId }) {
      const secrets = kept.get(sourceId);
      if (!secrets) throw notFound('Secrets of trigger source', sourceId);
      return { secretsJson: JSON.stringify(secrets) };
    },
    async putSourceSecrets({ sourceId, secretsJson }) {
      kept.set(sourceId, JSON.parse(secretsJson) as SourceSecrets);
      return {};
    },
    async deleteSourceSecrets({ sourceId }) {
      kept.delete(sourceId);
      return {};
    },
  };
}
