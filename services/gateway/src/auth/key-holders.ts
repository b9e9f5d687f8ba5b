import { ApiError, hashToken, hasChecksum } from '@drawbridge/contracts';
import { type KeyHolder } from '@drawbridge/proto/drawbridge/members/v1/api_keys';
import { memoize } from '@drawbridge/rpc';
import { LRUCache } from 'lru-cache';
import { type Clients } from '../clients.js';

/** A revoked key must be refused at every replica within a second of the answer. */
const REMEMBER_MS = 900;
const MAX_KEYS = 50_000;
const MAX_MISSES = 10_000;
/** Our own keys, and the shortest that an operator may choose as the first; no longer one is asked about. */
const KEY_FORMAT = /^svc_[0-9A-Za-z]{20,200}$/;
const SESSION_FORMAT = /^[0-9A-Za-z]{32,64}$/;

export interface KeyHolders {
  /**
   * Whom a key stands for; undefined for a key that opens nothing. `countUnknown` is called before members is asked about
   * a key that was not valid lately, and fails to prevent it; what it answers is called unless the key opens nothing.
   * Throws when members can't be asked.
   */
  find(key: string, countUnknown: () => () => void): Promise<KeyHolder | undefined>;
  /** Whom it stood for when it was last asked about. Asks nobody: for what is shown, not for what is allowed. */
  lastKnown(key: string): KeyHolder | undefined;
}

export function keyHolders(keys: Pick<Clients['keys'], 'verifyKey'>): KeyHolders {
  return holders(KEY_FORMAT, (keyHash, key) => keys.verifyKey({ keyHash, lacksChecksum: !hasChecksum(key) }));
}

/** The same for the sessions of people. */
export function sessionHolders(sessions: Pick<Clients['sessions'], 'verifySession'>): KeyHolders {
  return holders(SESSION_FORMAT, (tokenHash) => sessions.verifySession({ tokenHash }));
}

/** Asks members who holds a key, at most once a second for each key, misses included. */
function holders(format: RegExp, ask: (keyHash: string, key: string) => Promise<KeyHolder>): KeyHolders {
  const recentHolders = new LRUCache<string, KeyHolder>({ max: MAX_KEYS });
  // Apart from the hits: a flood of wrong keys must not make members answer for every right one again.
  const misses = new LRUCache<string, true>({ max: MAX_MISSES, ttl: REMEMBER_MS, ttlResolution: 0 });
  const asking = new Set<string>();

  const holderOf = memoize({ ttlMs: REMEMBER_MS, max: MAX_KEYS }, async (keyHash, key: string) => {
    asking.add(keyHash);
    try {
      const holder = await ask(keyHash, key);
      recentHolders.set(keyHash, holder);
      return holder;
    } catch (error) {
      if (isNoSuchKey(error)) {
        recentHolders.delete(keyHash);
        misses.set(keyHash, true);
      }
      throw error; // so that it is not kept among the hits
    } finally {
      asking.delete(keyHash);
    }
  });

  return {
    async find(key, countUnknown) {
      if (!format.test(key)) return undefined;
      const keyHash = hashToken(key);
      if (misses.has(keyHash)) return undefined;
      const isUnknown = !recentHolders.has(keyHash) && !asking.has(keyHash);
      const uncount = isUnknown ? countUnknown() : undefined;
      try {
        const holder = await holderOf(keyHash, key);
        uncount?.();
        return holder;
      } catch (error) {
        if (isNoSuchKey(error)) return undefined;
        uncount?.();
        throw error;
      }
    },
    lastKnown: (key) => recentHolders.get(hashToken(key)),
  };
}

function isNoSuchKey(error: unknown): boolean {
  return error instanceof ApiError && error.details['reason'] === 'no_such_key';
}
