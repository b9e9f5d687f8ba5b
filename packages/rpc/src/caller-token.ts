import { ApiError, SERVICES, type ServiceName } from '@drawbridge/contracts';
import { jwtVerify, SignJWT } from 'jose';
import { LRUCache } from 'lru-cache';
import { type Caller } from './context.js';
import { TOLERATED_SKEW_MS } from './reference-clock.js';

/** With what clocks may differ, a token expires three minutes after it was made, whatever it says itself. */
const LIFETIME_SECONDS = 55;
const CLOCKS_DIFFER_SECONDS = TOLERATED_SKEW_MS / 1_000;
const REUSE_MS = 30_000;
/** Of verified tokens: a caller's permissions may be long. */
const MAX_CACHED_BYTES = 16 * 1024 * 1024;
const NOBODY = {};

export interface VerifiedCaller {
  from: ServiceName;
  caller?: Caller;
}

/** One hop: who calls, whom, and for whom. */
export interface Hop extends VerifiedCaller {
  to: ServiceName;
}

export interface CallerTokens {
  /** A JWT (RFC 7519, HS256) that says which service calls which, and for whom. Valid 55 s. */
  sign(hop: Hop): Promise<string>;
  /** For the service that was called. Throws UNAUTHENTICATED on a token that is absent, foreign, altered, expired, or for another. */
  verify(token: string | undefined, to: ServiceName): Promise<VerifiedCaller>;
}

/** Signing and checking cost tens of microseconds a hop: both are remembered, a check at most until the token expires. */
export function callerTokens(internalKey: string): CallerTokens {
  const key = new TextEncoder().encode(internalKey);
  const signed = new WeakMap<object, Map<string, SignedToken>>();
  const known = new LRUCache<string, CheckedHop>({
    maxSize: MAX_CACHED_BYTES,
    sizeCalculation: (_hop, token) => 500 + 3 * token.length,
  });

  return {
    async sign(hop) {
      const its = tokensOf(signed, hop.caller ?? NOBODY);
      const route = `${hop.from} ${hop.to}`;
      const before = its.get(route);
      const age = Date.now() - (before?.madeAt ?? 0);
      if (before && age >= 0 && age < REUSE_MS) return before.token;
      const madeAt = Date.now();
      const token = await newToken(hop, key);
      its.set(route, { token, madeAt });
      return token;
    },

    async verify(token = '', to) {
      const before = known.get(token);
      if (before?.to === to && before.until > Date.now()) return before;
      const hop = await check(token, to, key);
      known.set(token, hop);
      return hop;
    },
  };
}

interface SignedToken {
  token: string;
  /** Epoch milliseconds, as those who check it count: after a step of the clock it may be dead, or not yet alive. */
  madeAt: number;
}

function tokensOf(signed: WeakMap<object, Map<string, SignedToken>>, owner: object): Map<string, SignedToken> {
  const its = signed.get(owner) ?? new Map<string, SignedToken>();
  signed.set(owner, its);
  return its;
}

function newToken({ from, to, caller }: Hop, key: Uint8Array): Promise<string> {
  return new SignJWT({ caller })
    .setProtectedHeader({ alg: 'HS256' })
    .setIssuer(from)
    .setAudience(to)
    .setIssuedAt()
    .setExpirationTime(`${LIFETIME_SECONDS}s`)
    .sign(key);
}

interface CheckedHop extends Hop {
  /** Epoch milliseconds. */
  until: number;
}

async function check(token: string, to: ServiceName, key: Uint8Array): Promise<CheckedHop> {
  try {
    const { payload } = await jwtVerify(token, key, {
      algorithms: ['HS256'],
      audience: to,
      requiredClaims: ['exp'],
      maxTokenAge: LIFETIME_SECONDS,
      clockTolerance: CLOCKS_DIFFER_SECONDS,
    });
    const from = SERVICES.find((service) => service === payload.iss);
    if (!from) throw new Error('unknown issuer');
    const expiry = Math.min(payload.exp!, payload.iat! + LIFETIME_SECONDS);
    const until = (expiry + CLOCKS_DIFFER_SECONDS) * 1_000;
    return { from, to, caller: payload['caller'] as Caller | undefined, until };
  } catch (cause) {
    const details = { reason: 'caller_token' };
    throw new ApiError('UNAUTHENTICATED', 'The call carries no valid caller token', { cause, details });
  }
}
