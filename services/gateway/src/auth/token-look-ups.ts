import { ApiError, hasChecksum, hashToken } from '@drawbridge/contracts';
import { type KeyHolder } from '@drawbridge/proto/drawbridge/members/v1/api_keys';
import { atMost, currentContext, memoize } from '@drawbridge/rpc';
import { LRUCache } from 'lru-cache';
import { type Clients } from '../clients.js';

const REMEMBER_MS = 850;
/**
 * A look-up is fresh for this time. Every replica must reject a revoked key within a second, so an older look-up is repeated before a call. Must
 * exceed REMEMBER_MS: otherwise a look-up from the cache could be too old already.
 */
const FRESH_MS = 900;
const MAX_KEYS = 50_000;
/** Matches generated API keys and the first key that an operator may configure. Other strings are rejected without a look-up. */
const KEY_FORMAT = /^svc_[0-9A-Za-z]{20,200}$/;
const SESSION_FORMAT = /^[0-9A-Za-z]{32,64}$/;

export interface KeyHolders {
  /**
   * Returns the holder of a key (its user, organization and permissions), or undefined for an invalid key. Calls `countUnknown` before it looks up a
   * key that was not valid recently; if `countUnknown` throws, there is no look-up. Unless the key is invalid, calls the function that `countUnknown`
   * returned, which reverts the count. Throws if the members service cannot be reached.
   */
  find(key: string, countUnknown: () => () => void): Promise<KeyHolder | undefined>;
  /** Returns the holder that the last look-up of the key found. Use it for rate limits, not for authorization: the key may have been revoked. */
  lastKnown(key: string): KeyHolder | undefined;
  /** Looks up the key of this holder again. Returns undefined if it is no longer valid. Throws if the members service cannot be reached. */
  again(holder: KeyHolder): Promise<KeyHolder | undefined>;
  /** Returns the time until which the look-up of this holder counts as fresh, in milliseconds of the monotonic clock. */
  freshUntil(holder: KeyHolder): number;
}

interface Look {
  keyHash: string;
  lacksChecksum: boolean;
  freshUntil: number;
}

export function keyHolders(keys: Pick<Clients['keys'], 'verifyKey'>): KeyHolders {
  return holders(KEY_FORMAT, (keyHash, lacksChecksum) => keys.verifyKey({ keyHash, lacksChecksum }));
}

/** Returns the look-ups of browser sessions. */
export function sessionHolders(sessions: Pick<Clients['sessions'], 'verifySession'>): KeyHolders {
  return holders(SESSION_FORMAT, (tokenHash) => sessions.verifySession({ tokenHash }));
}

type Ask = (keyHash: string, lacksChecksum: boolean) => Promise<KeyHolder>;

/** Looks up each key at most once per REMEMBER_MS. Invalid keys are cached, too. */
function holders(format: RegExp, ask: Ask): KeyHolders {
  const lookUps = new TokenLookUps<KeyHolder>(REMEMBER_MS, isNoSuchKey);
  const looks = new WeakMap<KeyHolder, Look>();
  const holderOf = memoize({ ttlMs: REMEMBER_MS, max: MAX_KEYS }, async (keyHash, checksum: () => boolean) => {
    const lacksChecksum = !checksum();
    const freshUntil = performance.now() + FRESH_MS;
    const holder = await ask(keyHash, lacksChecksum);
    looks.set(holder, { keyHash, lacksChecksum, freshUntil });
    lookUps.remember(keyHash, holder);
    return holder;
  });
  return {
    async find(key, countUnknown) {
      if (!format.test(key)) return undefined;
      const keyHash = hashToken(key);
      return lookUps.find(keyHash, countUnknown, () => holderOf(keyHash, () => hasChecksum(key)));
    },
    lastKnown: (key) => lookUps.lastKnown(hashToken(key)),
    again(holder) {
      const { keyHash, lacksChecksum } = looks.get(holder)!;
      return lookUps.find(keyHash, uncounted, () => holderOf(keyHash, () => !lacksChecksum));
    },
    freshUntil: (holder) => looks.get(holder)!.freshUntil,
  };
}

/** The `countUnknown` of repeated look-ups. It counts nothing, because the key was valid before. */
const uncounted = () => (): void => undefined;

function isNoSuchKey(error: unknown): boolean {
  return error instanceof ApiError && error.details['reason'] === 'no_such_key';
}

const MAX_KNOWN = 50_000;
const MAX_MISSES = 10_000;

/** Looks up API keys, sessions and MCP tokens by hash. `Known` is the type of the data that is cached for a valid token. */
export class TokenLookUps<Known extends object> {
  private readonly known = new LRUCache<string, Known>(atMost(MAX_KNOWN));
  // Invalid tokens are cached separately, so that a flood of them does not evict valid tokens, which would then count as unknown.
  private readonly misses: LRUCache<string, true>;
  private readonly underWay = new Set<string>();

  /** `isMiss` recognizes the error of an invalid token. An invalid token is looked up again after `missMs`. */
  constructor(
    missMs: number,
    private readonly isMiss: (error: unknown) => boolean,
  ) {
    this.misses = new LRUCache({ ...atMost(MAX_MISSES), ttl: missMs, ttlResolution: 0 });
  }

  /** Caches a valid token, so that its next look-ups do not count towards the limit of unknown tokens. */
  remember(hash: string, known: Known): void {
    this.known.set(hash, known);
  }

  /** Returns the data that the last look-up of the token found. Use it for rate limits, not for authorization: the token may have been revoked. */
  lastKnown(hash: string): Known | undefined {
    return this.known.get(hash);
  }

  opensNothing(hash: string): boolean {
    return this.misses.has(hash);
  }

  /**
   * Returns undefined for an invalid token. Calls `countUnknown` before it looks up a token that was not valid recently; if `countUnknown` throws,
   * there is no look-up. Unless the token is invalid, calls the function that `countUnknown` returned, which reverts the count. Throws the errors of
   * `lookUp`.
   */
  async find<T>(hash: string, countUnknown: () => () => void, lookUp: () => Promise<T>): Promise<T | undefined> {
    if (this.misses.has(hash)) return undefined;
    const uncount = this.known.has(hash) || this.underWay.has(hash) ? undefined : countUnknown();
    this.underWay.add(hash);
    try {
      const found = await lookUp();
      uncount?.();
      return found;
    } catch (error) {
      if (!this.isMiss(error)) {
        // The look-up failed. If the caller disconnected, the count is not reverted: otherwise a flood of aborted requests would not be limited.
        if (!currentContext()?.signal.aborted) uncount?.();
        throw error;
      }
      this.known.delete(hash);
      this.misses.set(hash, true);
      return undefined;
    } finally {
      this.underWay.delete(hash);
    }
  }
}
