import { ApiError } from '@drawbridge/contracts';
import { type KeyHolder } from '@drawbridge/proto/drawbridge/members/v1/api_keys';
import { atMost } from '@drawbridge/rpc';
import { type Response } from 'express';
import { LRUCache } from 'lru-cache';
import { clientNetwork } from './concurrency-limits.js';
import { type SharedWindows, WINDOW_SECONDS } from './shared-windows.js';
import { type Refusals } from './request-slots.js';

const WINDOW_MS = WINDOW_SECONDS * 1_000;
/** Divisor: anonymous requests that store data may use a sixth of their network's rate limit. */
const ANONYMOUS_OF_REQUESTS = 6;
/** Maximum number of windows of each kind, so that a flood from many addresses does not fill the memory. The least recently used are evicted. */
const MAX_WINDOWS = 100_000;

// The specification does not define X-RateLimit-Limit without a limit. The gateway sends the largest signed 32-bit integer, which every client can
// parse.
const UNLIMITED = 2_147_483_647;

interface Window {
  limit: number;
  used: number;
  /** Unix seconds. */
  resetAt: number;
}

/** The organization that a request counts towards, with its limit. */
type Counted = Pick<KeyHolder, 'orgId' | 'requestsPerMinute'>;

/** Counts requests in windows of 60 s that begin with the first request. `shared` contains the counts of all gateway processes. */
export class RateLimits {
  // Each kind has a separate cache of windows, so that a flood from many addresses does not evict the windows of organizations.
  private readonly organizations: Windows;
  private readonly networks: Windows;
  private readonly mcpServers: Windows;
  private readonly anonymous: Windows;
  private readonly keyLookUps = new Windows('key-look-ups');

  /** `publicLimit` is the number of requests per window and network. It also limits the unknown keys per network. Infinity means no limit. */
  constructor(
    private readonly publicLimit: number,
    private readonly refusals: Refusals,
    shared?: SharedWindows,
  ) {
    this.organizations = new Windows('organizations', shared);
    this.networks = new Windows('networks', shared);
    this.mcpServers = new Windows('mcp-servers', shared);
    this.anonymous = new Windows('anonymous', shared);
  }

  /**
   * Counts a request towards the organization of its key, or without a key towards the network of its client, and sets the rate-limit headers. Throws
   * RATE_LIMITED.
   */
  async count(response: Response, holder: Counted | undefined, address: string | undefined): Promise<void> {
    const window = await this.look(1, holder, address);
    response.set(headersOf(window)).set('Cache-Control', 'no-store');
    this.require(window, holder ? 'of an organization' : 'of a network');
  }

  /** Sets the rate-limit headers without counting the request. */
  async show(response: Response, holder: Counted | undefined, address: string | undefined): Promise<void> {
    response.set(headersOf(await this.look(0, holder, address)));
  }

  /** Counts a request to an MCP server, which may use at most half of its organization's limit. Throws RATE_LIMITED. */
  async countServer(serverId: string, ofOrganization = UNLIMITED): Promise<void> {
    this.require(await this.mcpServers.look(1, serverId, Math.ceil(ofOrganization / 2)), 'of an MCP server');
  }

  /** Counts an anonymous request that stores something, up to a sixth of its network's limit. Throws RATE_LIMITED. */
  async countAnonymous(address: string | undefined): Promise<void> {
    const limit = Math.ceil(this.publicLimit / ANONYMOUS_OF_REQUESTS);
    this.require(await this.anonymous.look(1, clientNetwork(address), limit), 'of anonymous requests of a network');
  }

  /** Counts a connection or request that is rejected before it reaches Express, in this gateway process only. Returns its rate-limit headers. */
  countRefused(address: string | undefined): Record<string, string> {
    return headersOf(this.networks.lookHere(1, clientNetwork(address), this.publicLimit));
  }

  /**
   * Counts the look-up of a key that was not valid recently, in this gateway process only. Call the returned function if the key is valid: it reverts
   * the count. Throws RATE_LIMITED.
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

/** Stores the rate-limit windows of one kind by name, for example those of organizations by their id. */
class Windows {
  private readonly here = new LRUCache<string, { used: number; since: number }>(atMost(MAX_WINDOWS));

  constructor(
    private readonly kind: string,
    private readonly shared?: SharedWindows,
  ) {}

  /** Adds `more` requests to the shared count, or to the count of this process while the shared counts are not available. */
  async look(more: number, name: string, limit = UNLIMITED): Promise<Window> {
    const here = this.lookHere(more, name, limit);
    // Without a limit the shared count has no effect, so it is not read.
    const counted = here.limit < UNLIMITED ? await this.shared?.look({ kind: this.kind, name, more }) : undefined;
    if (!counted) return here;
    return { ...here, used: counted.used, resetAt: Math.ceil((Date.now() + counted.msLeft) / 1_000) };
  }

  /** Measures the window by the monotonic clock, because the wall clock may be set back. Only the displayed reset time uses the wall clock. */
  lookHere(more: number, name: string, limit: number): Window {
    const now = performance.now();
    const known = this.here.get(name);
    const window = known && now - known.since < WINDOW_MS ? known : { used: 0, since: now };
    window.used = Math.max(0, window.used + more);
    if (more > 0 && window !== known) this.here.set(name, window);
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
