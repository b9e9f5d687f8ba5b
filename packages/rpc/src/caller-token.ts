import { ApiError, SERVICES, type ServiceName } from '@drawbridge/contracts';
import { jwtVerify, SignJWT } from 'jose';
import { LRUCache } from 'lru-cache';
import { type Caller } from './context.js';
import { TOLERATED_SKEW_MS } from './reference-clock.js';

/** The verifier enforces this lifetime, whatever `exp` says. With the tolerated clock skew a token is valid for at most three minutes. */
const LIFETIME_SECONDS = 55;
const CLOCKS_DIFFER_SECONDS = TOLERATED_SKEW_MS / 1_000;
const REUSE_MS = 30_000;
/** Bounds the cache of verified tokens by size, because a caller's permissions may be long. */
const MAX_CACHED_BYTES = 16 * 1024 * 1024;
const NO_CALLER = {};

export interface VerifiedCaller {
  from: ServiceName;
  caller?: Caller;
}

/** One call between two services, and the caller that it acts for. */
export interface Hop extends VerifiedCaller {
  to: ServiceName;
}

export interface CallerTokens {
  /** Returns a JWT (RFC 7519, HS256) that names the calling service, the called service and the caller. Valid for 55 s. */
  sign(hop: Hop): Promise<string>;
  /** Verifies a token for the called service. Throws UNAUTHENTICATED if it is absent, foreign, altered, expired or made for another service. */
  verify(token: string | undefined, to: ServiceName): Promise<VerifiedCaller>;
}

/** Signing and verifying cost tens of microseconds per call, so both results are cached; a verification at most until the token expires. */
export function callerTokens(internalKey: string): CallerTokens {
  const key = new TextEncoder().encode(internalKey);
  const signed = new WeakMap<object, Map<string, SignedToken>>();
  const known = new LRUCache<string, CheckedHop>({
    maxSize: MAX_CACHED_BYTES,
    sizeCalculation: (_hop, token) => 500 + 3 * token.length,
  });

  return {
    async sign(hop) {
      const its = tokensOf(signed, hop.caller ?? NO_CALLER);
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
  /** Epoch milliseconds of the wall clock, because verifiers use it: after a clock step the token may be expired or not valid yet. */
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
    throw new ApiError('UNAUTHENTICATED', 'The call has no valid caller token', { cause, details });
  }
}
