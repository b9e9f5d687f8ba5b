import { ApiError } from '@drawbridge/contracts';
import { type KeyHolder } from '@drawbridge/proto/drawbridge/members/v1/api_keys';
import { LRUCache } from 'lru-cache';
import { clientNetwork } from './client-network.js';
import { type RedisLink } from './redis-link.js';
import { type SharedCounter, sharedCounter } from './shared-counter.js';

const WINDOW_SECONDS = 60;
const WINDOW_MS = WINDOW_SECONDS * 1_000;
const ANONYMOUS_OF_REQUESTS = 6;
/** Those that were idle longest are forgotten: whoever comes from ever new addresses must not fill the memory. */
const MAX_NAMES = 100_000;

// Spec silent: what X-RateLimit-Limit says where there is no limit. The largest 32-bit integer reads everywhere.
const UNLIMITED = 2_147_483_647;

export interface Window {
  limit: number;
  used: number;
  /** Unix seconds. */
  resetAt: number;
}

/** Whom a request is counted on. */
export type Counted = Pick<KeyHolder, 'orgId' | 'requestsPerMinute'>;

export interface RateLimits {
  /** Counts a request: on the organization of its key, on the network of its client's address without one. */
  count(holder: Counted | undefined, address: string | undefined): Window | Promise<Window>;
  /** Counts a request to one MCP server of an organization, which takes at most half of what its organization may send. */
  countServer(serverId: string, limit: number | undefined): Window | Promise<Window>;
  /** Counts what leaves something behind though nobody is known to be there: a sixth of the requests of its network at most. */
  countAnonymous(address: string | undefined): Window | Promise<Window>;
  /** The same window, without counting. */
  peek(holder: Counted | undefined, address: string | undefined): Window | Promise<Window>;
  /** Counts, on this gateway alone, what never becomes a request. */
  countRefused(address: string | undefined): Window;
  /**
   * Counts a question about a key that was not valid lately, and returns how to take it back once the key turns out to be.
   * Throws RATE_LIMITED.
   */
  countKeyLookup(address: string | undefined): () => void;
}

/** `publicLimit` for each client network and for its questions; Infinity: none. Without `link` each gateway counts alone. */
export function rateLimits(publicLimit: number, link?: RedisLink): RateLimits {
  // Apart: who comes from ever new addresses pushes out the windows of other addresses at most.
  const [ownOrganizations, ownNetworks, ownServers] = [fixedWindows(), fixedWindows(), fixedWindows()];
  const ownAnonymous = fixedWindows();
  const questions = fixedWindows();
  const organizations = together(ownOrganizations, link && sharedCounter('organizations', WINDOW_SECONDS, link));
  const networks = together(ownNetworks, link && sharedCounter('networks', WINDOW_SECONDS, link));
  const servers = together(ownServers, link && sharedCounter('mcp-servers', WINDOW_SECONDS, link));
  const anonymous = together(ownAnonymous, link && sharedCounter('anonymous', WINDOW_SECONDS, link));
  const limitOf = (holder?: Counted): number =>
    Math.min(holder ? (holder.requestsPerMinute ?? UNLIMITED) : publicLimit, UNLIMITED);
  const look = (how: 'add' | 'peek', holder: Counted | undefined, address: string | undefined) => {
    const count = holder ? organizations[how](holder.orgId) : networks[how](clientNetwork(address));
    return withLimit(limitOf(holder), count);
  };
  return {
    count: (holder, address) => look('add', holder, address),
    countServer: (serverId, limit) => withLimit(Math.ceil((limit ?? UNLIMITED) / 2), servers.add(serverId)),
    countAnonymous: (address) =>
      withLimit(Math.ceil(limitOf() / ANONYMOUS_OF_REQUESTS), anonymous.add(clientNetwork(address))),
    peek: (holder, address) => look('peek', holder, address),
    countRefused: (address) => toWindow(limitOf(), ownNetworks.add(clientNetwork(address))),
    countKeyLookup(address) {
      const network = clientNetwork(address);
      requireWithinLimit(toWindow(limitOf(), questions.add(network)));
      return () => questions.subtract(network);
    },
  };
}

function withLimit(limit: number, count: Count | Promise<Count>): Window | Promise<Window> {
  return count instanceof Promise ? count.then((one) => toWindow(limit, one)) : toWindow(limit, count);
}

export interface Count {
  used: number;
  /** Epoch milliseconds. */
  endsAt: number;
}

interface FixedWindows {
  /** Counts one more. */
  add(name: string): Count;
  /** Takes one back that was counted. */
  subtract(name: string): void;
  peek(name: string): Count;
}

/** Counts by name in windows of 60 s, each of which begins with its first count. */
function fixedWindows(): FixedWindows {
  const windows = new LRUCache<string, { used: number; since: number }>({ max: MAX_NAMES });
  const open = (name: string): { used: number; since: number } => {
    const known = windows.get(name);
    return known && performance.now() - known.since < WINDOW_MS ? known : { used: 0, since: performance.now() };
  };
  return {
    add(name) {
      const window = open(name);
      window.used += 1;
      windows.set(name, window);
      return toCount(window);
    },
    subtract(name) {
      const window = open(name);
      window.used = Math.max(0, window.used - 1);
    },
    peek: (name) => toCount(open(name)),
  };
}

/** The wall clock may be set back while a window is open: it is asked only for what is shown. */
function toCount({ used, since }: { used: number; since: number }): Count {
  return { used, endsAt: Date.now() + since + WINDOW_MS - performance.now() };
}

type Counting = Record<'add' | 'peek', (name: string) => Count | Promise<Count>>;

/** What all gateways count, and what this one did where they can't. Alone it needs no promise. */
function together(own: FixedWindows, shared: SharedCounter | undefined): Counting {
  if (!shared) return own;
  const both = async (how: 'add' | 'peek', name: string): Promise<Count> => {
    const alone = own[how](name);
    return (await shared[how](name)) ?? alone;
  };
  return { add: (name) => both('add', name), peek: (name) => both('peek', name) };
}

export function headersOf({ limit, used, resetAt }: Window): Record<string, string> {
  return {
    'X-RateLimit-Limit': String(limit),
    'X-RateLimit-Remaining': String(Math.max(0, limit - used)),
    'X-RateLimit-Reset': String(resetAt),
  };
}

/** Throws RATE_LIMITED when more was counted than the window allows. */
export function requireWithinLimit({ limit, used, resetAt }: Window): void {
  if (used <= limit) return;
  const retryAfter = Math.max(1, resetAt - Math.floor(Date.now() / 1000));
  const message = `More than ${limit} requests in ${WINDOW_SECONDS} s; try again in ${retryAfter} s`;
  throw new ApiError('RATE_LIMITED', message, { details: { retryAfter } });
}

function toWindow(limit: number, { used, endsAt }: Count): Window {
  return { limit, used, resetAt: Math.ceil(endsAt / 1000) };
}
