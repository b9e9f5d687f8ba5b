import { ApiError, type ExecutionSource } from '@drawbridge/contracts';
import { type KeyHolder } from '@drawbridge/proto/drawbridge/members/v1/api_keys';
import { type Caller, isGranted, withSpan } from '@drawbridge/rpc';
import { type Request, type RequestHandler } from 'express';
import { contextOf } from '../http/request-context.js';
import { type KeyHolders } from './key-holders.js';
import { headersOf, type RateLimits, requireWithinLimit } from './rate-limits.js';

/** The sources that a caller may claim; the others are said by our own services alone. */
const CLAIMABLE: readonly ExecutionSource[] = ['sdk', 'playground'];

/** A holder without permissions may do nothing: it fails closed. */
const NOTHING = { scope: '' };

const callers = new WeakMap<KeyHolder, Map<ExecutionSource, Caller>>();

interface Admission {
  holders: KeyHolders;
  limits: RateLimits;
  /** Paths that are shown the window but do not count in it, and ask nobody whose key they carry. */
  isFree(request: Request): boolean;
}

/**
 * Turns an API key into the caller of this request, and counts it. Refuses nobody for the lack of a key: `requireCaller` does,
 * where a caller is needed. Throws RATE_LIMITED, and UNAVAILABLE when members can't be asked; the headers say the
 * window in every case.
 */
export function admit({ holders, limits, isFree }: Admission): RequestHandler {
  return async (request, response, next) => {
    const { ip } = request;
    const key = bearerToken(request.get('authorization'));
    if (isFree(request)) {
      response.set(headersOf(limits.peek(key ? holders.lastKnown(key) : undefined, ip)));
      return next();
    }

    const find = key ? withSpan('identify', () => holders.find(key, () => limits.countKeyLookup(ip))) : undefined;
    const [found] = await Promise.allSettled([find]);
    const holder = found.status === 'fulfilled' ? found.value : undefined;
    // While members is away, who was valid lately is still who they were: counted there, and told of the outage.
    const counted = found.status === 'rejected' && key ? holders.lastKnown(key) : holder;
    const window = limits.count(counted, ip);
    response.set(headersOf(window)).set('Cache-Control', 'no-store');
    requireWithinLimit(window);
    if (found.status === 'rejected') throw found.reason;
    if (holder) contextOf(response).caller = toCaller(holder, sourceOf(request.get('x-svc-source')));
    next();
  };
}

/** Throws UNAUTHENTICATED without a valid key, FORBIDDEN for one whose permissions say nothing that we know. */
export const requireCaller: RequestHandler = (_request, response, next) => {
  const { caller } = contextOf(response);
  if (!caller) {
    response.setHeader('WWW-Authenticate', 'Bearer');
    throw new ApiError('UNAUTHENTICATED', 'Send a valid API key: Authorization: Bearer <API_KEY>');
  }
  if (!isGranted('any', caller.permissions))
    throw new ApiError('FORBIDDEN', 'The permissions of this key allow nothing');
  next();
};

function bearerToken(authorization = ''): string | undefined {
  const [scheme, token] = authorization.split(' ', 2);
  return scheme?.toLowerCase() === 'bearer' ? token : undefined;
}

function sourceOf(claimed: string | undefined): ExecutionSource {
  return CLAIMABLE.find((source) => source === claimed) ?? 'rest';
}

/** One object for each key and source, so that what is signed for a caller can be remembered. */
function toCaller(holder: KeyHolder, source: ExecutionSource): Caller {
  const known = callers.get(holder) ?? new Map<ExecutionSource, Caller>();
  callers.set(holder, known);
  const { orgId, userId, keyId, permissions } = holder;
  const caller = known.get(source) ?? { orgId, userId, keyId, permissions: permissions ?? NOTHING, source };
  known.set(source, caller);
  return caller;
}
