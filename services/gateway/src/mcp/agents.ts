import { ApiError, hashToken } from '@drawbridge/contracts';
import { type McpBearer, type McpDoor, type McpOffer } from '@drawbridge/proto/drawbridge/mcp/v1/access';
import { type Caller, currentContext, memoize } from '@drawbridge/rpc';
import { LRUCache } from 'lru-cache';
import { type Slots } from '../admission/slots.js';
import { TokenLookUps } from '../auth/token-look-ups.js';
import { type Clients } from '../clients.js';

/** As every token of ours is written; no other is asked about. */
const TOKEN = /^mcpo?_[0-9A-Za-z]{46}$/;
const SERVER = /^srv_([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/i;
/** A plan that changed holds within a second. */
const REMEMBER_MS = 900;
/** Servers whose offers are kept, and offers of them all. */
const MAX_SERVERS = 1_000;
const MAX_OFFERS = 100_000;
const NEVER = new AbortController().signal;

/** Who came to a server, what it offers them, and what they may do. */
export interface Agent {
  door: McpDoor;
  bearer: McpBearer;
  offers: Offers;
  /** In whose name calls are made: with that and nothing more. */
  caller: Caller;
  requestsPerMinute?: number;
  /** By the monotonic clock. */
  foundAt: number;
}

/** What a server offers: the same object until that changes. */
interface Offers {
  tag: string;
  list: readonly McpOffer[];
}

export interface Agents {
  /**
   * Whom a token lets in to a server, asked anew each time. Undefined: nobody; whether the server is there is not told. `countUnknown` is
   * called before a token that was not valid lately is asked about, as for API keys. Throws FORBIDDEN for what is suspended, UNAVAILABLE, and
   * RATE_LIMITED when too many ask about one server.
   */
  find(server: string, token: string, countUnknown: () => () => void): Promise<Agent | undefined>;
  /** Whose requests these were when the token was last valid: nobody is asked. */
  lastKnown(server: string, token: string): Known | undefined;
}

/** The organization that requests are counted for, and the bearer whose look-ups wait in turn. */
interface Known {
  orgId: string;
  requestsPerMinute?: number;
  bearer: string;
}

export function agents(clients: Needs, slots: Slots): Agents {
  const lookUps = new TokenLookUps<Known>(REMEMBER_MS, isNobody);
  const admit = admitting(clients);
  const lookUp = async ({ key, serverId }: Wanted, token: string): Promise<Agent | undefined> => {
    // Valid tokens are never queued behind invalid ones, nor behind all the tokens of another end user.
    const subject = { mcpServer: serverId, bearer: lookUps.lastKnown(key)?.bearer };
    const release = await slots.take('MCP token look-up', subject, () => currentContext()?.signal ?? NEVER);
    try {
      if (lookUps.opensNothing(key)) return undefined;
      const agent = await admit(serverId, token);
      lookUps.remember(key, knownOf(agent, key));
      return agent;
    } finally {
      release();
    }
  };
  return {
    async find(server, token, countUnknown) {
      const wanted = wantedOf(server, token);
      return wanted && lookUps.find(wanted.key, countUnknown, () => lookUp(wanted, token));
    },
    lastKnown: (server, token) => lookUps.lastKnown(wantedOf(server, token)?.key ?? ''),
  };
}

interface Wanted {
  serverId: string;
  key: string;
}

/** Undefined for what is written as none of ours. */
function wantedOf(server: string, token: string): Wanted | undefined {
  const serverId = SERVER.exec(server)?.[1]?.toLowerCase();
  if (serverId === undefined || !TOKEN.test(token)) return undefined;
  return { serverId, key: `${serverId} ${hashToken(token)}` };
}

function knownOf({ door, bearer, requestsPerMinute }: Agent, key: string): Known {
  return { orgId: door.orgId, requestsPerMinute, bearer: bearer.endUserRecordId ?? key };
}

type Needs = Pick<Clients, 'mcpAccess' | 'organizations'>;

/**
 * Throws NOT_FOUND (server), UNAUTHENTICATED (a token that opens nothing here) and FORBIDDEN (server or workspace suspended). The token is
 * looked up each time; what its server offers is sent only when it changed.
 */
function admitting({ mcpAccess, organizations }: Needs): (serverId: string, token: string) => Promise<Agent> {
  const limitsOf = memoize({ ttlMs: REMEMBER_MS }, (orgId) => organizations.getLimits({ orgId }));
  const known = new LRUCache<string, Offers>({
    max: MAX_SERVERS,
    maxSize: MAX_OFFERS,
    sizeCalculation: ({ list }) => list.length + 1,
  });
  return async (serverId, token) => {
    const foundAt = performance.now();
    const before = known.get(serverId);
    const request = { serverId, tokenHash: hashToken(token), knownTag: before?.tag };
    const { door, bearer, tag, isUnchanged, offers: list } = await mcpAccess.resolveMcpAccess(request);
    const offers = before && isUnchanged ? before : { tag, list };
    if (offers !== before) known.set(serverId, offers);
    const { limits, planVersion } = await limitsOf(door!.orgId);
    const caller = toCaller(door!, planVersion);
    return { door: door!, bearer: bearer!, offers, caller, requestsPerMinute: limits?.requestsPerMinute, foundAt };
  };
}

/** It executes actions in the one workspace, for whoever made the server, and nothing else. */
function toCaller({ orgId, userId, workspaceId }: McpDoor, planVersion: number): Caller {
  const permissions = { scope: 'workspace', workspaceIds: [workspaceId], grants: ['actions.execute'] };
  return { orgId, userId, permissions, planVersion, source: 'mcp_tools' };
}

function isNobody(error: unknown): boolean {
  return error instanceof ApiError && (error.code === 'UNAUTHENTICATED' || error.code === 'NOT_FOUND');
}
