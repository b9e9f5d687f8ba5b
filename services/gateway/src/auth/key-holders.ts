import { ApiError, hashToken } from '@drawbridge/contracts';
import { type KeyHolder } from '@drawbridge/proto/drawbridge/members/v1/api_keys';
import { remember } from '@drawbridge/rpc';
import { type Clients } from '../clients.js';

/** A revoked key must be refused at every replica within a second of the answer. */
const REMEMBER_MS = 900;

export interface KeyHolders {
  /** Whom a key stands for; undefined for a key that opens nothing. Fails when members can't be asked. */
  find(key: string): Promise<KeyHolder | undefined>;
}

/** Asks members who holds a key, at most once a second for each key, misses included. */
export function keyHolders(keys: Clients['keys']): KeyHolders {
  const ask = async (keyHash: string): Promise<{ holder?: KeyHolder }> => ({ holder: await verify(keys, keyHash) });
  const holderOf = remember({ ttlMs: REMEMBER_MS, max: 50_000 }, ask);
  return { find: async (key) => (await holderOf(hashToken(key))).holder };
}

async function verify(keys: Clients['keys'], keyHash: string): Promise<KeyHolder | undefined> {
  try {
    return await keys.verifyKey({ keyHash });
  } catch (error) {
    if (error instanceof ApiError && error.details['reason'] === 'no_such_key') return undefined;
    throw error;
  }
}
