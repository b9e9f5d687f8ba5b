import { createSecretKey, type KeyObject } from 'node:crypto';

/** 43 characters of base64 and its padding are 32 bytes. */
const ENTRY = /^([A-Za-z0-9_-]{1,64}):([A-Za-z0-9+/]{43}=)$/;

export interface MasterKeys {
  /** The id of the one that encrypts. */
  current: string;
  byId: ReadonlyMap<string, KeyObject>;
}

/**
 * Reads MASTER_KEYS: `id:base64key[,id:base64key…]`, keys of 256 bits. The first encrypts, all decrypt.
 * Fails naming the variable and the entry by its position: what is written in the wrong place may be the key itself.
 */
export function readMasterKeys(text: string): MasterKeys {
  const entries = text.split(',').map((entry, index) => parse(entry.trim(), index + 1));
  const byId = new Map(entries);
  if (byId.size < entries.length) throw new Error('MASTER_KEYS: each id must stand once');
  return { current: entries[0]![0], byId };
}

function parse(entry: string, position: number): [id: string, key: KeyObject] {
  const [, id, base64] = ENTRY.exec(entry) ?? [];
  if (!id || !base64) throw new Error(`MASTER_KEYS: entry ${position} must be id:key, the key 32 bytes in base64`);
  return [id, createSecretKey(base64, 'base64')];
}
