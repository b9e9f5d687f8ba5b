import { ApiError, hashToken, hasChecksum } from '@drawbridge/contracts';
import { type KeyHolder } from '@drawbridge/proto/drawbridge/members/v1/api_keys';
import { memoize } from '@drawbridge/rpc';
import { type Clients } from '../clients.js';
import { TokenLookUps } from './token-look-ups.js';

const REMEMBER_MS = 850;
/**
 * A revoked key must be refused at every replica within a second of the answer: nothing is done for who was looked up longer ago than
 * this. More than is remembered, so that who is found there is not looked up again at once.
 */
const FRESH_MS = 900;
const MAX_KEYS = 50_000;
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
  /** Whom the key of this holder stands for now; undefined when it opens nothing any more. Throws when members can't be asked. */
  again(holder: KeyHolder): Promise<KeyHolder | undefined>;
  /** Until when, on the monotonic clock, who was found counts as looked up just now. */
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

/** The same for the sessions of people. */
export function sessionHolders(sessions: Pick<Clients['sessions'], 'verifySession'>): KeyHolders {
  return holders(SESSION_FORMAT, (tokenHash) => sessions.verifySession({ tokenHash }));
}

type Ask = (keyHash: string, lacksChecksum: boolean) => Promise<KeyHolder>;

/** Asks members who holds a key, at most once a second for each key, misses included. */
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

/** A renewed look-up is of a key that was valid. */
const uncounted = () => (): void => undefined;

function isNoSuchKey(error: unknown): boolean {
  return error instanceof ApiError && error.details['reason'] === 'no_such_key';
}
