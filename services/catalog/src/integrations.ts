import { ApiError } from '@drawbridge/contracts';
import { type CatalogEntry, describe } from '@drawbridge/piece-kit';
import { pieces } from '@drawbridge/pieces';
import { type IntegrationServiceDefinition } from '@drawbridge/proto/drawbridge/catalog/v1/integrations';
import { type Implementation } from '@drawbridge/rpc';

/** The pieces, described once: they don't change while the process lives. */
export function integrations(): Implementation<IntegrationServiceDefinition> {
  const entries = new Map<string, CatalogEntry>(Object.entries(pieces).map(([name, piece]) => [name, describe(piece)]));
  const all = [...entries.values()];
  const counted = { total: all.length, registered: [...entries.keys()] };
  return {
    listIntegrations: async () => ({ integrations: all, ...counted }),

    // The summary's message has no actions and triggers: the codec leaves them out.
    listIntegrationSummaries: async () => ({ integrations: all, ...counted }),

    async getIntegration({ name }) {
      const entry = entries.get(name);
      if (!entry) throw new ApiError('INTEGRATION_NOT_FOUND', `Integration ${name} not found`);
      return entry;
    },
  };
}
