import { ApiError, SERVICES, type ServiceName } from '@drawbridge/contracts';
import { jwtVerify, SignJWT } from 'jose';
import { LRUCache } from 'lru-cache';
import { type Caller } from './context.js';

const LIFETIME_SECONDS = 60;
const REUSE_MS = 30_000;
const AUDIENCE = 'drawbridge';
const NOBODY = {};

export interface Verified {
  from: ServiceName;
  caller?: Caller;
}

export interface CallerTokens {
  /** A JWT (RFC 7519, HS256) that says which service calls and for whom. Valid 60 s. */
  sign(from: ServiceName, caller: Caller | undefined): Promise<string>;
  /** Fails with UNAUTHENTICATED on a token that is absent, foreign, altered or expired. */
  verify(token: string | undefined): Promise<Verified>;
}

/** Signing and checking cost tens of microseconds a hop: both are remembered for less than a token lives. */
export function callerTokens(internalKey: string): CallerTokens {
  const key = new TextEncoder().encode(internalKey);
  const signed = new WeakMap<object, { token: string; from: ServiceName; until: number }>();
  const verified = new LRUCache<string, Verified>({ max: 10_000, ttl: REUSE_MS - 1_000 });

  return {
    async sign(from, caller) {
      const owner = caller ?? NOBODY;
      const known = signed.get(owner);
      if (known?.from === from && known.until > Date.now()) return known.token;
      const token = await new SignJWT({ caller })
        .setProtectedHeader({ alg: 'HS256' })
        .setIssuer(from)
        .setAudience(AUDIENCE)
        .setIssuedAt()
        .setExpirationTime(`${LIFETIME_SECONDS}s`)
        .sign(key);
      signed.set(owner, { token, from, until: Date.now() + REUSE_MS });
      return token;
    },

    async verify(token) {
      const known = token && verified.get(token);
      if (known) return known;
      const fresh = await check(token, key);
      verified.set(token!, fresh);
      return fresh;
    },
  };
}

async function check(token: string | undefined, key: Uint8Array): Promise<Verified> {
  try {
    const { payload } = await jwtVerify(token ?? '', key, { algorithms: ['HS256'], audience: AUDIENCE });
    const from = SERVICES.find((service) => service === payload.iss);
    if (!from) throw new Error('unknown issuer');
    return { from, caller: payload['caller'] as Caller | undefined };
  } catch (cause) {
    const details = { reason: 'caller_token' };
    throw new ApiError('UNAUTHENTICATED', 'The call carries no valid caller token', { cause, details });
  }
}
