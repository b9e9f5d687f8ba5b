import { ApiError, type ExecutionSource } from '@drawbridge/contracts';
import { type KeyHolder } from '@drawbridge/proto/drawbridge/members/v1/api_keys';
import { type Caller, withSpan } from '@drawbridge/rpc';
import { type Request, type RequestHandler } from 'express';
import { contextOf } from '../http/request-context.js';
import { type KeyHolders } from './key-holders.js';

/** The sources that a caller may claim; the others are said by our own services alone. */
const CLAIMABLE: readonly ExecutionSource[] = ['sdk', 'playground'];

/** A holder without permissions may do nothing: it fails closed. */
const NOTHING = { scope: 'none' };

const callers = new WeakMap<KeyHolder, Map<ExecutionSource, Caller>>();

/**
 * Turns an API key into the caller of this request. Refuses nobody: `requireCaller` does, where a caller is needed. Fails
 * when members can't be asked, but not on a free path: health is told also then.
 */
export function identify(holders: KeyHolders, isFree: (request: Request) => boolean): RequestHandler {
  return async (request, response, next) => {
    const key = bearerToken(request.get('authorization'));
    const find = key ? withSpan('identify', () => holders.find(key)) : undefined;
    const holder = await (isFree(request) ? find?.catch(() => undefined) : find);
    if (holder) {
      response.locals['holder'] = holder;
      contextOf(response).caller = toCaller(holder, sourceOf(request.get('x-svc-source')));
    }
    next();
  };
}

export const requireCaller: RequestHandler = (_request, response, next) => {
  if (contextOf(response).caller) return next();
  response.setHeader('WWW-Authenticate', 'Bearer');
  throw new ApiError('UNAUTHENTICATED', 'Send a valid API key: Authorization: Bearer <API_KEY>');
};

function bearerToken(authorization = ''): string | undefined {
  const [scheme, token] = authorization.split(' ');
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
