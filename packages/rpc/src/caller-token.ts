import { ApiError, SERVICES, type ServiceName } from '@drawbridge/contracts';
import { jwtVerify, SignJWT } from 'jose';
import { LRUCache } from 'lru-cache';
import { type Caller } from './context.js';
import { TOLERATED_SKEW_MS } from './reference-clock.js';

/** Verifiers enforce this lifetime regardless of `exp`. Including the tolerated clock skew, a token is valid for at most three minutes. */
const LIFETIME_SECONDS = 55;
const CLOCKS_DIFFER_SECONDS = TOLERATED_SKEW_MS / 1_000;
const REUSE_MS = 30_000;
/** The cache of verified tokens is limited by size, because the permissions of a caller may be long. */
const MAX_CACHED_BYTES = 16 * 1024 * 1024;
const NO_CALLER = {};

export interface VerifiedCaller {
  from: ServiceName;
  caller?: Caller;
}

/** One call between two services, and the caller on behalf of which it is made. */
export interface Hop extends VerifiedCaller {
  to: ServiceName;
}

export interface CallerTokens {
  /** Returns a JWT (RFC 7519, HS256) with the calling service, the called service and the caller. It is valid for 55 s. */
  sign(hop: Hop): Promise<string>;
  /**
   * Verifies a token for the called service. Throws UNAUTHENTICATED if the token is absent, altered, expired, signed with another key or issued for
   * another service.
   */
  verify(token: string | undefined, to: ServiceName): Promise<VerifiedCaller>;
}

/**
 * Creates the functions that sign and verify tokens. Both take tens of microseconds per call, so their results are cached. A verification is cached
 * no longer than its token is valid.
 */
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
  /** Epoch milliseconds by the wall clock, which verifiers use too: after a clock step the cached token may be expired or not yet valid. */
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
