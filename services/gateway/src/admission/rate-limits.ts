import { ApiError } from '@drawbridge/contracts';
import { type KeyHolder } from '@drawbridge/proto/drawbridge/members/v1/api_keys';
import { type Response } from 'express';
import { LRUCache } from 'lru-cache';
import { RateLimiterRedis } from 'rate-limiter-flexible';
import { clientNetwork } from '../auth/client-network.js';
import { type RedisLink } from './redis-link.js';
import { type Refusals } from './slots.js';

const WINDOW_SECONDS = 60;
const WINDOW_MS = WINDOW_SECONDS * 1_000;
/** One of so many requests of a network may be anonymous and leave something behind. */
const ANONYMOUS_OF_REQUESTS = 6;
/** Windows that were idle longest are forgotten: a flood from ever new addresses must not fill the memory. */
const MAX_WINDOWS = 100_000;

// Spec silent: what X-RateLimit-Limit says where there is no limit. The largest 32-bit integer reads everywhere.
const UNLIMITED = 2_147_483_647;

export interface Window {
  limit: number;
  used: number;
  /** Unix seconds. */
  resetAt: number;
}

/** The organization that a request is counted on. */
export type Counted = Pick<KeyHolder, 'orgId' | 'requestsPerMinute'>;

/** Requests in windows of 60 s, each of which begins with its first request. With Redis, all gateways count together. */
export class RateLimits {
  // Separate windows: a flood from ever new addresses evicts the windows of other addresses only.
  private readonly organizations: Windows;
  private readonly networks: Windows;
  private readonly mcpServers: Windows;
  private readonly anonymous: Windows;
  private readonly keyLookUps = new Windows('key-look-ups');

  /** `publicLimit` is for each network, and for its key look-ups; Infinity means none. */
  constructor(
    private readonly publicLimit: number,
    private readonly refusals: Refusals,
    link?: RedisLink,
  ) {
    this.organizations = new Windows('organizations', link);
    this.networks = new Windows('networks', link);
    this.mcpServers = new Windows('mcp-servers', link);
    this.anonymous = new Windows('anonymous', link);
  }

  /**
   * Counts a request on the organization of its key, or without one on the network of its client, and shows the window in the headers of
   * the response. Throws RATE_LIMITED.
   */
  async count(response: Response, holder: Counted | undefined, address: string | undefined): Promise<void> {
    const window = await this.look(1, holder, address);
    response.set(headersOf(window)).set('Cache-Control', 'no-store');
    this.require(window, holder ? 'of an organization' : 'of a network');
  }

  /** Shows the same window without counting. */
  async show(response: Response, holder: Counted | undefined, address: string | undefined): Promise<void> {
    response.set(headersOf(await this.look(0, holder, address)));
  }

  /** Counts a request to an MCP server, which takes at most half of the requests of its organization. Throws RATE_LIMITED. */
  async countServer(serverId: string, ofOrganization = UNLIMITED): Promise<void> {
    this.require(await this.mcpServers.look(1, serverId, Math.ceil(ofOrganization / 2)), 'of an MCP server');
  }

  /** Counts a request without a caller that leaves something behind: a sixth of the requests of its network. Throws RATE_LIMITED. */
  async countAnonymous(address: string | undefined): Promise<void> {
    const limit = Math.ceil(this.publicLimit / ANONYMOUS_OF_REQUESTS);
    this.require(await this.anonymous.look(1, clientNetwork(address), limit), 'of anonymous requests of a network');
  }

  /** Counts, in this gateway alone, a connection or a request that is refused before it is routed; returns its headers. */
  countRefused(address: string | undefined): Record<string, string> {
    return headersOf(this.networks.lookHere(1, clientNetwork(address), this.publicLimit));
  }

  /**
   * Counts, in this gateway alone, the look-up of a key that was not valid lately. The returned function takes it back when the key turns out to be
   * valid. Throws RATE_LIMITED.
   */
  countKeyLookup(address: string | undefined): () => void {
    const network = clientNetwork(address);
    this.require(this.keyLookUps.lookHere(1, network, this.publicLimit), 'of unknown keys of a network');
    return () => void this.keyLookUps.lookHere(-1, network, this.publicLimit);
  }

  private look(more: number, holder: Counted | undefined, address: string | undefined): Promise<Window> {
    return holder
      ? this.organizations.look(more, holder.orgId, holder.requestsPerMinute)
      : this.networks.look(more, clientNetwork(address), this.publicLimit);
  }

  private require({ limit, used, resetAt }: Window, of: string): void {
    if (used <= limit) return;
    this.refusals.count({ kind: 'requests in 60 s', limit: of, code: 'RATE_LIMITED' });
    const retryAfter = Math.max(1, resetAt - Math.floor(Date.now() / 1_000));
    const message = `More than ${limit} requests in ${WINDOW_SECONDS} s; try again in ${retryAfter} s`;
    throw new ApiError('RATE_LIMITED', message, { details: { retryAfter } });
  }
}

/** Counts by name. */
class Windows {
  private readonly here = new LRUCache<string, { used: number; since: number }>({ max: MAX_WINDOWS });
  private readonly shared?: RateLimiterRedis;

  constructor(
    name: string,
    private readonly link?: RedisLink,
  ) {
    if (!link) return;
    const points = Number.MAX_SAFE_INTEGER; // the limit depends on the plan
    const keyPrefix = `drawbridge:${name}`;
    this.shared = new RateLimiterRedis({ storeClient: link.redis, keyPrefix, points, duration: WINDOW_SECONDS });
  }

  /** Counts as many more in all gateways, or in this one while Redis does not answer. */
  async look(more: number, name: string, limit = UNLIMITED): Promise<Window> {
    const here = this.lookHere(more, name, limit);
    const said = await this.link?.ask(() => (more > 0 ? this.shared!.consume(name, more) : this.shared!.get(name)));
    if (!said) return here;
    const { consumedPoints = 0, msBeforeNext = WINDOW_MS } = said.answer ?? {};
    return { ...here, used: consumedPoints, resetAt: Math.ceil((Date.now() + msBeforeNext) / 1_000) };
  }

  /** The wall clock may be set back while a window is open: it is read only for what is shown. */
  lookHere(more: number, name: string, limit: number): Window {
    const now = performance.now();
    const known = this.here.get(name);
    const window = known && now - known.since < WINDOW_MS ? known : { used: 0, since: now };
    window.used = Math.max(0, window.used + more);
    if (more > 0) this.here.set(name, window);
    const resetAt = Math.ceil((Date.now() + window.since + WINDOW_MS - now) / 1_000);
    return { limit: Math.min(limit, UNLIMITED), used: window.used, resetAt };
  }
}

function headersOf({ limit, used, resetAt }: Window): Record<string, string> {
  return {
    'X-RateLimit-Limit': String(limit),
    'X-RateLimit-Remaining': String(Math.max(0, limit - used)),
    'X-RateLimit-Reset': String(resetAt),
  };
}
