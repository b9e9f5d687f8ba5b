import { hashToken } from '@drawbridge/contracts';
import { type McpBearer, type McpDoor, type McpOffer } from '@drawbridge/proto/drawbridge/mcp/v1/access';
import { LRUCache } from 'lru-cache';
import { type Clients } from '../clients.js';

/** Servers whose offers are kept, and actions of them all. */
const MAX_SERVERS = 1_000;
const MAX_OFFERS = 100_000;

/** Who came to a server, and what it offers them. */
export interface AdmittedAgent {
  door: McpDoor;
  bearer: McpBearer;
  offers: Offers;
}

/** What a server offers at this moment: the same object until that changes. */
export interface Offers {
  tag: string;
  list: readonly McpOffer[];
}

export interface McpAccess {
  /**
   * Throws NOT_FOUND (server), UNAUTHENTICATED (a token that opens nothing here; `details.oauthEnabled` says whether there is another way in)
   * and FORBIDDEN (server or workspace suspended).
   */
  admit(serverId: string, token: string): Promise<AdmittedAgent>;
}

/**
 * The token is asked about each time: one that ended opens nothing from then on, at no replica. What the server offers travels only when it
 * changed.
 */
export function mcpAccess({ mcpAccess: service }: Pick<Clients, 'mcpAccess'>): McpAccess {
  const known = new LRUCache<string, Offers>({
    max: MAX_SERVERS,
    maxSize: MAX_OFFERS,
    sizeCalculation: ({ list }) => list.length + 1,
  });
  return {
    async admit(serverId, token) {
      const before = known.get(serverId);
      const request = { serverId, tokenHash: hashToken(token), knownTag: before?.tag };
      const { door, bearer, tag, isUnchanged, offers: list } = await service.resolveMcpAccess(request);
      const offers = before && isUnchanged ? before : { tag, list };
      if (offers !== before) known.set(serverId, offers);
      return { door: door!, bearer: bearer!, offers };
    },
  };
}
