import { Agent, type Dispatcher } from 'undici';
import { readAllowList } from './allow-list.js';
import { decodeBody } from './decode-body.js';
import { EgressError } from './egress-error.js';
import { exchange } from './exchange.js';
import { guardedConnector, systemConnect, systemResolve, type Connect, type Resolve } from './guarded-connector.js';
import { readOriginMap, toReached, type OriginMap } from './origin-map.js';
import { toFirstHop, type OutgoingRequest, type OutgoingResponse } from './outgoing.js';
import { toNextHop } from './redirect.js';
import { limitTime } from './time-limit.js';

const DEFAULT_TIMEOUT_MS = 30_000;
const DEFAULT_MAX_BYTES = 10 * 1024 * 1024;

export type Send = (request: OutgoingRequest) => Promise<OutgoingResponse>;

export interface Egress {
  /** Any status is an answer. Rejects with an EgressError. */
  send: Send;
  /** Lets requests under way end, then closes the pooled connections. */
  close(): Promise<void>;
}

export interface EgressOptions {
  /** ORIGIN_MAP, see `parseOriginMap`. */
  originMap?: Record<string, string>;
  /** EGRESS_ALLOW: CIDRs, addresses and host names that may be reached although not public. */
  allow?: string[];
  resolve?: Resolve;
  connect?: Connect;
}

/**
 * The one way out: http and https to public unicast addresses, to what `allow` opens and to the targets of `originMap`.
 * Connections are pooled for each origin; each was made to a checked address. No proxy variable is read.
 * Throws an Error that names an unreadable entry of `allow` or `originMap`.
 */
export function createEgress(options: EgressOptions = {}): Egress {
  const { originMap = {}, allow = [], resolve = systemResolve, connect = systemConnect() } = options;
  const origins = readOriginMap(originMap);
  const targets = [...origins.values()].map(({ hostAndPort }) => hostAndPort);
  const isAllowed = readAllowList([...allow, ...targets]);

  // undici's own limits are off: one limit for the whole of a request replaces them.
  const dispatcher = new Agent({
    connect: guardedConnector({ isAllowed, resolve, connect }),
    headersTimeout: 0,
    bodyTimeout: 0,
  });
  return {
    send: (request) => sendLimited(request, dispatcher, origins),
    close: () => dispatcher.close(),
  };
}

async function sendLimited(
  request: OutgoingRequest,
  dispatcher: Dispatcher,
  origins: OriginMap,
): Promise<OutgoingResponse> {
  const { maxBytes = DEFAULT_MAX_BYTES, maxRedirects = 0, timeoutMs = DEFAULT_TIMEOUT_MS } = request;
  let hop = toFirstHop(request);
  let isSent = false;

  const { signal, end } = limitTime(timeoutMs, request.signal);
  try {
    for (let left = maxRedirects; ; left--) {
      const answer = await exchange(hop, { dispatcher, reached: toReached(hop.url, origins), maxBytes, signal });
      isSent = true;
      const next = maxRedirects === 0 ? undefined : toNextHop(hop, answer, origins);
      if (next === undefined) return { ...(await decodeBody(answer, maxBytes)), url: hop.url.href };
      if (left === 0) throw new EgressError('TOO_MANY_REDIRECTS', `more than ${maxRedirects} redirects`);
      hop = next;
    }
  } catch (error) {
    if (!isSent || !(error instanceof EgressError)) throw error;
    throw new EgressError(error.code, error.reason, error.host ?? hop.url.host, isSent);
  } finally {
    end();
  }
}
