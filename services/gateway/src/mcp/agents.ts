import { ApiError, hashToken } from '@drawbridge/contracts';
import { type McpDoor } from '@drawbridge/proto/drawbridge/mcp/v1/access';
import { type Caller, currentContext, memoize } from '@drawbridge/rpc';
import { LRUCache } from 'lru-cache';
import { type Slots } from '../admission/slots.js';
import { type Clients } from '../clients.js';
import { type AdmittedAgent, mcpAccess } from './mcp-access.js';

/** As every token of ours is written; no other is asked about. */
const TOKEN = /^mcpo?_[0-9A-Za-z]{46}$/;
const SERVER = /^srv_([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/i;
/** A plan that changed holds within a second. */
const REMEMBER_MS = 900;
const MAX_MISSES = 10_000;
const MAX_KNOWN = 50_000;
const NEVER = new AbortController().signal;

/** Who has come, and what for. */
export interface Agent extends AdmittedAgent {
  /** In whose name calls are made: with that and nothing more. */
  caller: Caller;
  requestsPerMinute?: number;
  /** By the monotonic clock. */
  foundAt: number;
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
  const misses = new LRUCache<string, true>({ max: MAX_MISSES, ttl: REMEMBER_MS, ttlResolution: 0 });
  /** By the token. */
  const valid = new LRUCache<string, Known>({ max: MAX_KNOWN });
  const asking = new Set<string>();
  const admit = admitting(clients);

  const lookUp = async (key: string, serverId: string, token: string): Promise<Agent | undefined> => {
    const { signal = NEVER } = currentContext() ?? {};
    // Valid tokens are never queued behind invalid ones, nor behind all the tokens of another end user.
    const subject = { mcpServer: serverId, bearer: valid.get(key)?.bearer };
    const release = await slots.take('MCP token look-up', subject, signal);
    try {
      return misses.has(key) ? undefined : await admit(serverId, token);
    } finally {
      release();
    }
  };

  return {
    async find(server, token, countUnknown) {
      const wanted = keyOf(server, token);
      if (!wanted || misses.has(wanted.key)) return undefined;
      const { serverId, key } = wanted;
      const uncount = valid.has(key) || asking.has(key) ? undefined : countUnknown();
      asking.add(key);
      try {
        const agent = await lookUp(key, serverId, token);
        if (agent) valid.set(key, knownOf(agent, key));
        uncount?.();
        return agent;
      } catch (error) {
        // Whoever hung up meanwhile had it asked nonetheless.
        if (!isNobody(error) && !currentContext()?.signal.aborted) uncount?.();
        if (!isNobody(error)) throw error;
        valid.delete(key);
        misses.set(key, true);
        return undefined;
      } finally {
        asking.delete(key);
      }
    },

    lastKnown: (server, token) => valid.get(keyOf(server, token)?.key ?? ''),
  };
}

/** Undefined for what is written as none of ours. */
function keyOf(server: string, token: string): { serverId: string; key: string } | undefined {
  const serverId = SERVER.exec(server)?.[1]?.toLowerCase();
  if (serverId === undefined || !TOKEN.test(token)) return undefined;
  return { serverId, key: `${serverId} ${hashToken(token)}` };
}

function knownOf({ door, bearer, requestsPerMinute }: Agent, key: string): Known {
  return { orgId: door.orgId, requestsPerMinute, bearer: bearer.endUserRecordId ?? key };
}

type Needs = Pick<Clients, 'mcpAccess' | 'organizations'>;

/** As `McpAccess.admit`. */
function admitting(clients: Needs): (serverId: string, token: string) => Promise<Agent> {
  const access = mcpAccess(clients);
  const limitsOf = memoize({ ttlMs: REMEMBER_MS }, (orgId) => clients.organizations.getLimits({ orgId }));
  return async (serverId, token) => {
    const foundAt = performance.now();
    const admitted = await access.admit(serverId, token);
    const { limits, planVersion } = await limitsOf(admitted.door.orgId);
    const caller = toCaller(admitted.door, planVersion);
    return { ...admitted, caller, requestsPerMinute: limits?.requestsPerMinute, foundAt };
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
