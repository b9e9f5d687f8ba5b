import { ApiError, hashToken } from '@drawbridge/contracts';
import {
  type McpAccess,
  type McpBearer,
  type McpDoor,
  type McpOffer,
} from '@drawbridge/proto/drawbridge/mcp/v1/access';
import { type Caller, currentContext, memoize } from '@drawbridge/rpc';
import { LRUCache } from 'lru-cache';
import { type Slots } from '../admission/request-slots.js';
import { TokenLookUps } from '../auth/token-look-ups.js';
import { type Clients } from '../clients.js';

/** The format of Drawbridge's MCP tokens. Other strings are rejected without a look-up. */
const TOKEN = /^mcpo?_[0-9A-Za-z]{46}$/;
const SERVER = /^srv_([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/i;
/** Cache time of invalid tokens and of the plan limits of an organization. A changed plan takes effect within a second. */
const REMEMBER_MS = 900;
/** Limits of the cached tools: the number of MCP servers, and the total number of tools that these servers offer. */
const MAX_SERVERS = 1_000;
const MAX_OFFERS = 100_000;
const NEVER = new AbortController().signal;

/** A server and the tools that it offers. */
export interface Offering {
  door: McpDoor;
  offers: Offers;
}

/** An authenticated agent: its server, the tools of the server, and its permissions. */
export interface Agent extends Offering {
  bearer: McpBearer;
  /** The caller of all RPCs for this agent. It may only execute actions in the workspace of the server. */
  caller: Caller;
  requestsPerMinute?: number;
  /** Time of the look-up, in milliseconds of the monotonic clock. */
  foundAt: number;
}

/** The tools that a server offers. The object stays the same until the tools change, so that data derived from it can be cached. */
interface Offers {
  tag: string;
  list: readonly McpOffer[];
}

export interface Agents {
  /**
   * Looks up the agent of a token at the mcp service, without a cache of valid tokens. Returns undefined for an invalid token, and if the server does
   * not exist. Calls `countUnknown` before it looks up a token that was not valid recently, like `KeyHolders.find`. Throws FORBIDDEN for a suspended
   * server or workspace, UNAVAILABLE, and RATE_LIMITED if too many look-ups of one server wait.
   */
  find(server: string, token: string, countUnknown: () => () => void): Promise<Agent | undefined>;
  /** Returns the data of the last valid look-up of the token without a new look-up. */
  lastKnown(server: string, token: string): Known | undefined;
}

/** Data of a valid token: the organization that its requests count towards, and its end user, by which look-ups are scheduled fairly. */
interface Known {
  orgId: string;
  requestsPerMinute?: number;
  bearer: string;
}

export function agents(clients: Needs, slots: Slots): Agents {
  const lookUps = new TokenLookUps<Known>(REMEMBER_MS, isNobody);
  const admit = admitting(clients);
  const lookUp = async ({ key, serverId }: Wanted, token: string): Promise<Agent | undefined> => {
    // The queue is fair by `bearer`, so that a valid token does not wait behind all invalid tokens, or behind all tokens of another end user.
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

/** Returns undefined for a malformed server id or token. */
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
 * Returns a function that looks up a token at the mcp service. It throws NOT_FOUND (server), UNAUTHENTICATED (invalid token) and FORBIDDEN (suspended
 * server or workspace).
 */
function admitting({ mcpAccess, organizations }: Needs): (serverId: string, token: string) => Promise<Agent> {
  const limitsOf = memoize({ ttlMs: REMEMBER_MS }, (orgId) => organizations.getLimits({ orgId }));
  const offering = offerings();
  return async (serverId, token) => {
    const foundAt = performance.now();
    const request = { serverId, tokenHash: hashToken(token) };
    const found = await offering(serverId, (knownTag) => mcpAccess.resolveMcpAccess({ ...request, knownTag }));
    const { limits, planVersion } = await limitsOf(found.door.orgId);
    const caller = toCaller(found.door, planVersion);
    return { ...found, bearer: found.bearer!, caller, requestsPerMinute: limits?.requestsPerMinute, foundAt };
  };
}

type Asked = Pick<McpAccess, 'door' | 'tag' | 'isUnchanged' | 'offers'>;

/** Returns a function that authorizes each request at the mcp service and caches the server's tools, which the service sends only after a change. */
export function offerings() {
  const kept = new LRUCache<string, Offers>({
    max: MAX_SERVERS,
    maxSize: MAX_OFFERS,
    sizeCalculation: ({ list }) => list.length + 1,
  });
  return async <Access extends Asked>(serverId: string, ask: (knownTag?: string) => Promise<Access>) => {
    const before = kept.get(serverId);
    const access = await ask(before?.tag);
    const offers = before && access.isUnchanged ? before : { tag: access.tag, list: access.offers };
    if (offers !== before) kept.set(serverId, offers);
    return { ...access, door: access.door!, offers };
  };
}

/** Returns a caller that may only execute actions in one workspace, on behalf of the user who created the server. */
function toCaller({ orgId, userId, workspaceId, mode }: McpDoor, planVersion: number): Caller {
  const permissions = { scope: 'workspace', workspaceIds: [workspaceId], grants: ['actions.execute'] };
  return { orgId, userId, permissions, planVersion, source: mode === 'CODE' ? 'mcp_code' : 'mcp_tools' };
}

function isNobody(error: unknown): boolean {
  return error instanceof ApiError && (error.code === 'UNAUTHENTICATED' || error.code === 'NOT_FOUND');
}
