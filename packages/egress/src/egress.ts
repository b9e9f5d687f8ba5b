import type { Socket } from 'node:net';
import { connectedHost } from '@drawbridge/contracts';
import { type Cancellation } from '@drawbridge/rpc';
import { type Load, type Release, TenantLimiter } from '@drawbridge/turns';
import { type IsAllowed, readAllowList } from './allow-list.js';
import { ConnectionPool } from './connection-pool.js';
import { decodeBody } from './decode-body.js';
import { EgressError, explainFailure } from './egress-error.js';
import { type Answer, exchange } from './exchange.js';
import {
  type Connect,
  guardedConnector,
  isWrittenIn,
  requireOpen,
  type Resolve,
  systemConnect,
} from './guarded-connector.js';
import { type OriginMap, readOriginMap, toAddress } from './origin-map.js';
import { type OwnOrigin, ownPlaces } from './own-origin.js';
import {
  type Hop,
  type OutgoingRequest,
  type OutgoingResponse,
  toFirstHop,
  toKeptUrl,
  toNextHop,
  withLinksOf,
} from './request-and-redirects.js';
import { systemResolve } from './system-resolve.js';
import { untilLimit, withTimeLimit } from './time-limit.js';
import { openTunnel } from './tunnel.js';

const DEFAULT_TIMEOUT_MS = 30_000;
const DEFAULT_MAX_BYTES = 10 * 1024 * 1024;

/** Concurrency limit and queue length per tenant, in this process. */
const REQUESTS = { atOnce: 100, waiting: 1_000 };
/**
 * Concurrency limit and queue length of DNS look-ups per tenant. One look-up covers the IPv4 and IPv6 addresses of a name. The queue has room for the
 * look-up of every concurrent request.
 */
const QUESTIONS = { atOnce: 20, waiting: REQUESTS.atOnce };
const POOL = { idleOfTenant: 100, idle: 500, maxIdleMs: 30_000, maxAgeMs: 300_000 };

export type Send = (request: OutgoingRequest) => Promise<OutgoingResponse>;

export interface Egress {
  /**
   * Returns the function with which a tenant sends requests. It resolves for any HTTP status and rejects with an EgressError. Requests beyond the
   * tenant's concurrency limit are queued. The time in the queue counts toward their time limit, and does not delay other tenants.
   */
  sendFor(tenant: string): Send;
  /** Throws INVALID_URL or EGRESS_DENIED if the URL as written is invalid or denied. A host name is resolved only when a request is sent. */
  requireReachable(url: string): void;
  /**
   * Opens a connection for an end-to-end encrypted tunnel to the origin of an https URL. The rules for destinations of requests apply. The tunnel
   * occupies one of the tenant's slots until it closes. Rejects with an EgressError.
   */
  openTunnel(tenant: string, url: string, signal: AbortSignal): Promise<Socket>;
  /** Returns whether EGRESS_ALLOW contains the host of a URL, as a name or address. Returns false for an invalid URL. */
  isListed(url: string): boolean;
  /** Returns the number of current requests, and of requests that wait for a slot of their tenant. */
  load(): Load;
  /** Waits for the current requests, then closes the pooled connections. */
  close(): Promise<void>;
}

export interface EgressOptions {
  /** The value of ORIGIN_MAP, see `parseOriginMap`. */
  originMap?: Record<string, string>;
  /** The value of EGRESS_ALLOW: CIDRs, addresses and host names that are reachable although they are not public. */
  allow?: string[];
  /** The gateway's own addresses, which are always denied, regardless of `allow` and `originMap`. Default: none. */
  own?: OwnOrigin;
  /** CIDRs that are always denied, even if `allow` or `originMap` contains them. */
  never?: string[];
  resolve?: Resolve;
  connect?: Connect;
}

interface EgressParts {
  origins: OriginMap;
  pool: ConnectionPool;
  requests: TenantLimiter;
}

/**
 * Creates the object through which all outgoing requests are sent. Requests use http or https and reach public unicast addresses, the entries of
 * `allow` and the targets of `originMap`, but never the gateway itself. Connections are pooled per origin, and each is opened to a checked address.
 * Environment variables for proxies are ignored. Throws an Error with an invalid entry of `allow` or `originMap`.
 */
export function createEgress(options: EgressOptions = {}): Egress {
  const { originMap = {}, allow = [], never = [], resolve = systemResolve(), connect = systemConnect() } = options;
  const origins = readOriginMap(originMap);
  const targets = [...origins.values()].map(({ hostAndPort }) => hostAndPort);
  const isListed = readAllowList([...allow, ...targets]);
  const isNever = readAllowList(never);
  const isAllowed: IsAllowed = (target) => isListed(target) && !isNever({ ...target, name: target.address });
  const isInList = readAllowList(allow);

  const own = ownPlaces(options.own ?? { baseUrl: '', others: [], port: 0 });
  const open = guardedConnector({ isAllowed, own, resolve, connect, questions: new TenantLimiter(QUESTIONS) });
  const pool = new ConnectionPool({ open, ...POOL });
  const requests = new TenantLimiter(REQUESTS);
  const parts = { origins, pool, requests };
  return {
    sendFor: (tenant) => (request) => sendInTurn(request, tenant, parts),
    openTunnel: (tenant, url, signal) => openTunnel({ tenant, url, signal }, { origins, open, requests }),
    requireReachable: (url) => requireOpen(new URL(toAddress(toKeptUrl(url), origins).origin), { isAllowed, own }),
    isListed: (url) => URL.canParse(url) && isWrittenIn(new URL(url), isInList),
    load: () => requests.load,
    close: () => pool.close(),
  };
}

async function sendInTurn(request: OutgoingRequest, tenant: string, parts: EgressParts): Promise<OutgoingResponse> {
  const hop = toFirstHop(request);
  const { limit, end } = withTimeLimit(request.timeoutMs ?? DEFAULT_TIMEOUT_MS, request.signal);
  try {
    const endTurn = parts.requests.tryAcquire(tenant) ?? (await waitForTurn(hop, tenant, limit, parts));
    return await sendAll(hop, { ...request, limit, tenant }, parts).finally(endTurn);
  } finally {
    end();
  }
}

function waitForTurn({ url }: Hop, tenant: string, limit: Cancellation, { requests }: EgressParts): Promise<Release> {
  return requests.acquire(tenant, limit.signal).catch((error: unknown) => {
    throw explainFailure(error, { host: url.host, sent: false });
  });
}

type LimitedRequest = Omit<OutgoingRequest, 'signal'> & { limit: Cancellation; tenant: string };

/** Sends the request and follows its redirects. */
async function sendAll(first: Hop, request: LimitedRequest, parts: EgressParts): Promise<OutgoingResponse> {
  const { maxBytes = DEFAULT_MAX_BYTES, maxRedirects = 0 } = request;
  let hop = first;
  let isSent = false;
  try {
    for (let left = maxRedirects; ; left--) {
      const answer = await sendOnce(hop, { ...request, maxBytes }, parts);
      isSent = true;
      const mayLeadOn = maxRedirects > 0 && answer.status >= 300;
      const next = mayLeadOn ? toNextHop(hop, answer, parts.origins) : undefined;
      if (next === undefined) {
        const isCoded = answer.headers['content-encoding'] !== undefined && !request.headOnly;
        const whole = isCoded ? await decoded(answer, hop, { ...request, maxBytes }) : answer;
        return { ...whole, headers: withLinksOf(whole, hop, parts.origins), url: hop.url.href };
      }
      if (left === 0) throw new EgressError('TOO_MANY_REDIRECTS', `more than ${maxRedirects} redirects`);
      const host = connectedHost(next.url);
      if (host !== connectedHost(first.url)) await untilLimit(request.requireRedirect?.(host), request.limit);
      hop = next;
    }
  } catch (error) {
    if (!isSent || !(error instanceof EgressError)) throw error;
    throw new EgressError(error.code, error.reason, error.host ?? hop.url.host, isSent);
  }
}

function decoded(
  answer: Answer,
  { url: { host } }: Hop,
  { maxBytes, makeRoom, limit }: LimitedRequest & { maxBytes: number },
): Promise<Answer> {
  const room = async (): Promise<void> => {
    await makeRoom?.(limit.signal).catch((error: unknown) => {
      throw explainFailure(error, { host, sent: true });
    });
  };
  return decodeBody(answer, { maxBytes, makeRoom: room });
}

async function sendOnce(
  hop: Hop,
  { tenant, limit, maxBytes, headOnly, makeRoom }: LimitedRequest & { maxBytes: number },
  { origins, pool }: EgressParts,
): Promise<Answer> {
  const { origin, path } = toAddress(hop.url, origins);
  const connection = pool.acquire(origin, tenant);
  try {
    const answer = await exchange(hop, { connection, path, maxBytes, headOnly, limit, makeRoom });
    if (answer.isCut) pool.destroy(connection);
    else pool.release(connection);
    return answer;
  } catch (error) {
    pool.destroy(connection);
    throw error;
  }
}
