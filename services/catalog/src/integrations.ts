import { type CatalogEntry, type CatalogOperation, describe } from '@drawbridge/piece-kit';
import { integrationNotFound, pieces } from '@drawbridge/pieces';
import { type IntegrationServiceDefinition, type Piece } from '@drawbridge/proto/drawbridge/catalog/v1/integrations';
import { type Implementation } from '@drawbridge/rpc';

/** Describes the pieces once, because they do not change while the process runs. */
export function integrations(): Implementation<IntegrationServiceDefinition> {
  const entries = new Map<string, CatalogEntry>(Object.entries(pieces).map(([name, piece]) => [name, describe(piece)]));
  const all = [...entries.values()];
  const counted = { total: all.length, registered: [...entries.keys()] };
  const find = (name: string): CatalogEntry => {
    const entry = entries.get(name);
    if (!entry) throw integrationNotFound(name);
    return entry;
  };
  return {
    listIntegrations: async () => ({ integrations: all, ...counted }),

    // The message of a summary has no actions and triggers, so the codec omits them.
    listIntegrationSummaries: async () => ({ integrations: all, ...counted }),

    getIntegration: async ({ name }) => find(name),

    listPieces: async () => ({ data: all.map(toPiece) }),

    getPiece: async ({ name }) => toPiece(find(name)),
  };
}

function toPiece({ actions, triggers, ...entry }: CatalogEntry): Piece {
  const requireAuth = entry.auth.required;
  const withAuth = (operations: Record<string, CatalogOperation>): Piece['actions'] =>
    Object.fromEntries(Object.entries(operations).map(([name, one]) => [name, { ...one, requireAuth }]));
  return { ...entry, actions: withAuth(actions), triggers: withAuth(triggers) };
}
