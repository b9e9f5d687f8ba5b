import { ApiError, hashToken } from '@drawbridge/contracts';
import { type KeyHolder } from '@drawbridge/proto/drawbridge/members/v1/api_keys';
import { LRUCache } from 'lru-cache';
import { type Clients } from '../clients.js';

/** A revoked key must be refused at every replica within a second of the answer. */
const REMEMBER_MS = 900;

export interface KeyHolders {
  /** Whom a key stands for; undefined for a key that opens nothing. Fails when members can't be asked. */
  find(key: string): Promise<KeyHolder | undefined>;
}

/** Asks members who holds a key, at most once a second for each key, misses included. */
export function keyHolders(keys: Clients['keys']): KeyHolders {
  const known = new LRUCache<string, { holder?: KeyHolder }>({
    max: 50_000,
    ttl: REMEMBER_MS,
    fetchMethod: async (keyHash) => ({ holder: await ask(keys, keyHash) }),
  });
  return { find: async (key) => (await known.fetch(hashToken(key)))?.holder };
}

async function ask(keys: Clients['keys'], keyHash: string): Promise<KeyHolder | undefined> {
  try {
    return await keys.verifyKey({ keyHash });
  } catch (error) {
    if (error instanceof ApiError && error.code === 'UNAUTHENTICATED') return undefined;
    throw error;
  }
}
