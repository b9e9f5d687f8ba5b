import { ApiError, type ExecutionSource } from '@drawbridge/contracts';
import { type KeyHolder } from '@drawbridge/proto/drawbridge/members/v1/api_keys';
import { withSpan } from '@drawbridge/rpc';
import { type Request, type RequestHandler } from 'express';
import { type RateLimits } from '../admission/rate-limits.js';
import { type Clients } from '../clients.js';
import { contextOf } from '../http/request-context.js';
import { operationOf } from '../http/route-table.js';
import { type Site } from '../http/site.js';
import { requireMayCall, toCaller } from './callers.js';
import { type KeyHolders } from './key-holders.js';
import { type SecretCookie } from './secret-cookies.js';

/** The sources that a caller may claim; the others are said by our own services alone. */
const CLAIMABLE: readonly ExecutionSource[] = ['sdk', 'playground'];

/** What changes nothing. */
const SAFE_METHODS = new Set(['GET', 'HEAD', 'OPTIONS']);

/** By what a request says for whom it is. */
interface Credential {
  kind: 'key' | 'session';
  token: string;
}

type Sessions = Pick<Clients['sessions'], 'refuseSession'>;

interface Admission {
  holders: Record<Credential['kind'], KeyHolders>;
  cookie: SecretCookie;
  site: Site;
  limits: RateLimits;
  sessions: Sessions;
  /** Paths that are shown the window but do not count in it, and ask nobody whose key they carry. */
  isFree(request: Request): boolean;
}

/**
 * Turns an API key or a session into the caller of this request, and counts it. Refuses nobody for the lack of one:
 * `requireCaller` does, where a caller is needed. Throws RATE_LIMITED, and UNAVAILABLE when members can't be asked; the headers say the
 * window in every case.
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
    // While members is away, who was valid lately is still who they were: counted there, and told of the outage.
    const counted = found.status === 'rejected' ? lastKnown() : holder;
    await limits.count(response, ofOrganization(counted), address);
    if (found.status === 'rejected') throw found.reason;
    if (credential && holder) {
      contextOf(response).caller = toCaller(holder, holders[credential.kind], sourceOf(request.get('x-svc-source')));
    }
    if (holder && credential?.kind === 'session' && !SAFE_METHODS.has(request.method)) {
      await requireSameOrigin(request, { site, sessions, isRecorded: holder.orgId !== '' });
    }
    next();
  };
}

/** Who belongs to none is counted by their address. */
const ofOrganization = (holder: KeyHolder | undefined): KeyHolder | undefined => (holder?.orgId ? holder : undefined);

/** An API key, or the session of a browser. Who sends a key means it, whatever a cookie says. */
function credentialOf(request: Request, cookie: SecretCookie): Credential | undefined {
  const authorization = request.get('authorization');
  if (authorization !== undefined) {
    const key = bearerToken(authorization);
    return key === undefined ? undefined : { kind: 'key', token: key };
  }
  const token = request.get('cookie') === undefined ? undefined : cookie.read(request);
  return token === undefined ? undefined : { kind: 'session', token };
}

/** What an `Authorization` header carries, RFC 6750. Undefined where it is of another scheme, or carries nothing. */
export function bearerToken(authorization: string): string | undefined {
  const [scheme, token] = authorization.split(' ', 2);
  return scheme?.toLowerCase() === 'bearer' ? token : undefined;
}

/** Throws FORBIDDEN; it is then recorded in the organization of the session. While members is away it is not. */
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

/** Throws as `requireMayCall`, and UNAUTHENTICATED for a person who belongs to no organization where the operation is about one. */
export const requireCaller: RequestHandler = (_request, response, next) => {
  const { caller } = contextOf(response);
  requireMayCall(caller);
  if (caller.orgId === '' && !operationOf(response).isForPersons)
    throw new ApiError('UNAUTHENTICATED', 'You belong to no organization yet: accept an invitation first');
  next();
};

function sourceOf(claimed: string | undefined): ExecutionSource {
  return CLAIMABLE.find((source) => source === claimed) ?? 'rest';
}
