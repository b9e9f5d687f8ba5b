import { ApiError, type ExecutionSource } from '@drawbridge/contracts';
import { type KeyHolder } from '@drawbridge/proto/drawbridge/members/v1/api_keys';
import {
  type CallContext,
  type Caller,
  type Client,
  currentContext,
  isGranted,
  type Network,
  withSpan,
} from '@drawbridge/rpc';
import { type Request, type RequestHandler } from 'express';
import { type RateLimits } from '../admission/rate-limits.js';
import { type Clients } from '../clients.js';
import { contextOf } from '../http/request-context.js';
import { operationOf } from '../http/route-table.js';
import { type Site } from '../http/site.js';
import { type SecretCookie } from './secret-cookies.js';
import { type KeyHolders } from './token-look-ups.js';

/** The execution sources that a caller may claim in `X-Svc-Source`. Only Drawbridge's own services set the other sources. */
const CLAIMABLE: readonly ExecutionSource[] = ['sdk', 'playground'];

const SAFE_METHODS = new Set(['GET', 'HEAD', 'OPTIONS']);

interface Credential {
  kind: 'key' | 'session';
  token: string;
}

interface Admission {
  holders: Record<Credential['kind'], KeyHolders>;
  cookie: SecretCookie;
  site: Site;
  limits: RateLimits;
  sessions: Pick<Clients['sessions'], 'refuseSession'>;
  /** Returns whether a request is neither authenticated nor counted towards the rate limit. Its response only reports the limit. */
  isFree(request: Request): boolean;
}

/**
 * Authenticates the API key or session of a request, sets its caller and counts the request. A request without credentials passes: `requireCaller`
 * rejects it if the operation needs a caller. Throws RATE_LIMITED, FORBIDDEN for a cross-site request with a session, and UNAVAILABLE if the members
 * service cannot be reached. The rate-limit headers are set in every case.
 */
export function admit({ holders, cookie, site, limits, sessions, isFree }: Admission): RequestHandler {
  return async (request, response, next) => {
    const { address } = contextOf(response);
    const credential = credentialOf(request, cookie);
    const lastKnown = (): KeyHolder | undefined => credential && holders[credential.kind].lastKnown(credential.token);
    if (isFree(request)) {
      await limits.show(response, ofOrganization(lastKnown()), address);
      return next();
    }

    const ask = ({ kind, token }: Credential) => holders[kind].find(token, () => limits.countKeyLookup(address));
    const find = credential ? withSpan('identify', () => ask(credential)) : undefined;
    const [found] = await Promise.allSettled([find]);
    const holder = found.status === 'fulfilled' ? found.value : undefined;
    // While the members service is down, a recently valid credential still counts towards its organization, and the request fails with UNAVAILABLE.
    const counted = found.status === 'rejected' ? lastKnown() : holder;
    await limits.count(response, ofOrganization(counted), address);
    if (found.status === 'rejected') throw found.reason;
    if (credential && holder) {
      contextOf(response).caller = toCaller(holder, holders[credential.kind], sourceOf(request));
    }
    if (holder && credential?.kind === 'session' && !SAFE_METHODS.has(request.method)) {
      await requireSameOrigin(request, { site, sessions, isRecorded: holder.orgId !== '' });
    }
    next();
  };
}

/** Returns undefined for a user without an organization. The rate limit then counts the request towards the network of the client. */
const ofOrganization = (holder: KeyHolder | undefined): KeyHolder | undefined => (holder?.orgId ? holder : undefined);

/** Returns the API key or the session of the request. An Authorization header takes precedence over the cookie, even when it contains no key. */
function credentialOf(request: Request, cookie: SecretCookie): Credential | undefined {
  const authorization = request.get('authorization');
  if (authorization !== undefined) {
    const key = bearerToken(authorization);
    return key === undefined ? undefined : { kind: 'key', token: key };
  }
  const token = request.get('cookie') === undefined ? undefined : cookie.read(request);
  return token === undefined ? undefined : { kind: 'session', token };
}

/** Returns the token of an `Authorization` header (RFC 6750); undefined for another scheme or without a token. */
export function bearerToken(authorization: string): string | undefined {
  const [scheme, token] = authorization.split(' ', 2);
  return scheme?.toLowerCase() === 'bearer' ? token : undefined;
}

const sourceOf = (request: Request): ExecutionSource =>
  CLAIMABLE.find((source) => source === request.get('x-svc-source')) ?? 'rest';

/** Throws FORBIDDEN for a request from another origin, and records it in the audit log of the session's organization unless members is down. */
async function requireSameOrigin(
  request: Request,
  { site, sessions, isRecorded }: Pick<Admission, 'site' | 'sessions'> & { isRecorded: boolean },
): Promise<void> {
  try {
    site.requireSameOrigin(request);
  } catch (error) {
    const reason = `The request comes from another site: ${request.method} ${request.path}`;
    if (isRecorded) await sessions.refuseSession({ reason }).catch(() => undefined);
    throw error;
  }
}

/** Throws UNAUTHENTICATED if the operation lacks a caller, or the organization of its caller. Throws FORBIDDEN for a caller without permissions. */
export const requireCaller: RequestHandler = (_request, response, next) => {
  const { caller } = contextOf(response);
  requireMayCall(caller);
  if (caller.orgId === '' && !operationOf(response).isForPersons)
    throw new ApiError('UNAUTHENTICATED', 'You are not a member of an organization yet. Accept an invitation first');
  next();
};

/** The permissions of a key or session for which the members service returned none. They grant nothing. */
const NOTHING = { scope: '' };

/** Maximum number of look-ups to renew a caller. If the response of a look-up arrives too late to count as fresh, the look-up is repeated. */
const LOOKS = 3;

/** The look-up that found a caller, and the time until which its result may be used (milliseconds of the monotonic clock). */
interface Standing {
  holder: KeyHolder;
  holders: KeyHolders;
  freshUntil: number;
}

const callers = new WeakMap<KeyHolder, Map<ExecutionSource, Caller>>();
const standings = new WeakMap<Caller, Standing>();

/** Returns a caller. The same look-up and source return the same object, so that the signature of a caller can be cached by object. */
export function toCaller(holder: KeyHolder, holders: KeyHolders, source: ExecutionSource): Caller {
  const known = callers.get(holder) ?? new Map<ExecutionSource, Caller>();
  callers.set(holder, known);
  const before = known.get(source);
  if (before) return before;
  const { orgId, userId, permissions = NOTHING, planVersion } = holder;
  const which = holder.sessionId ? { sessionId: holder.sessionId } : { keyId: holder.keyId };
  const caller = { orgId, userId, ...which, permissions, planVersion, source };
  known.set(source, caller);
  standings.set(caller, { holder, holders, freshUntil: holders.freshUntil(holder) });
  return caller;
}

/** Throws UNAUTHENTICATED without a caller, and FORBIDDEN for a member of an organization without any permission that this version supports. */
function requireMayCall(caller: Caller | undefined): asserts caller is Caller {
  if (!caller) throw new ApiError('UNAUTHENTICATED', 'Send a valid API key: Authorization: Bearer <API_KEY>');
  if (caller.orgId !== '' && !isGranted('any', caller.permissions))
    throw new ApiError('FORBIDDEN', 'The caller has no permissions. Use an API key or account that has permissions');
}

/**
 * Wraps the RPC network so that each call looks up its caller again, unless the last look-up is fresh. A request that waited for a slot must run with
 * the current permissions of its caller. Calls also throw UNAUTHENTICATED and FORBIDDEN like `requireCaller`, and UNAVAILABLE if members is too slow.
 */
export function renewingCallers(network: Network): Network {
  return {
    ready: (service) => network.ready(service),
    client(service, definition) {
      const calls = Object.entries(network.client(service, definition)) as [string, Call][];
      const renewing = calls.map(([method, call]): [string, Call] => [
        method,
        (...given) => {
          const renewed = renewCaller();
          return renewed ? renewed.then(() => call(...given)) : call(...given);
        },
      ]);
      return Object.fromEntries(renewing) as Client<typeof definition>;
    },
  };
}

type Call = (...given: unknown[]) => Promise<unknown>;

function renewCaller(): Promise<void> | undefined {
  const context = currentContext();
  if (!context?.caller) return undefined;
  const standing = standings.get(context.caller);
  if (!standing) return undefined; // `toCaller` did not create this caller: its endpoint, such as MCP, looks up the token itself
  return standing.freshUntil > performance.now() ? undefined : renew(context, context.caller, standing);
}

async function renew(context: CallContext, caller: Caller, { holder, holders }: Standing): Promise<void> {
  for (let looks = 0; looks < LOOKS; looks++) {
    const found = await holders.again(holder);
    // The user of a session may have switched to another organization in the meantime. This request must not run in that organization.
    const renewed = found?.orgId === caller.orgId ? toCaller(found, holders, caller.source) : undefined;
    requireMayCall(renewed);
    context.caller = renewed;
    if (standings.get(renewed)!.freshUntil > performance.now()) return;
  }
  throw new ApiError('UNAVAILABLE', 'Authentication took too long, and nothing was done. Try again');
}
