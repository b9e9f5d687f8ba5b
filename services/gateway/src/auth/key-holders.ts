import { ApiError, hashToken, hasChecksum } from '@drawbridge/contracts';
import { type KeyHolder } from '@drawbridge/proto/drawbridge/members/v1/api_keys';
import { memoize } from '@drawbridge/rpc';
import { type Clients } from '../clients.js';
import { TokenLookUps } from './token-look-ups.js';

const REMEMBER_MS = 850;
/**
 * A revoked key must be refused at every replica within a second, so older look-ups are renewed before a call. Longer than REMEMBER_MS, so that a
 * cached holder is not looked up again at once.
 */
const FRESH_MS = 900;
const MAX_KEYS = 50_000;
/** Matches our own keys and the shortest that an operator may choose as the first. Other strings are refused without a look-up. */
const KEY_FORMAT = /^svc_[0-9A-Za-z]{20,200}$/;
const SESSION_FORMAT = /^[0-9A-Za-z]{32,64}$/;

export interface KeyHolders {
  /**
   * Returns the holder of a key; undefined for an invalid key. Calls `countUnknown` before it looks up a key that was not valid lately; if that
   * throws, there is no look-up. Calls the function that `countUnknown` returned unless the key is invalid. Throws when members cannot be reached.
   */
  find(key: string, countUnknown: () => () => void): Promise<KeyHolder | undefined>;
  /** Returns the holder that the last look-up found, without a new one. Use it for display, not for authorization. */
  lastKnown(key: string): KeyHolder | undefined;
  /** Looks up the key of this holder again; returns undefined when it is no longer valid. Throws when members cannot be reached. */
  again(holder: KeyHolder): Promise<KeyHolder | undefined>;
  /** Returns until when the look-up of this holder counts as fresh, in milliseconds of the monotonic clock. */
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

/** Looks up each key at most once per REMEMBER_MS, misses included. */
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

/** A renewed look-up concerns a key that was valid, so it does not count as unknown. */
const uncounted = () => (): void => undefined;

function isNoSuchKey(error: unknown): boolean {
  return error instanceof ApiError && error.details['reason'] === 'no_such_key';
}
