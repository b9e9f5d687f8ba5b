import { createSecretKey, type KeyObject } from 'node:crypto';
import { readSecretFile } from './read-secret-file.js';

/** `k1:<key>`, or with the source of the key: `k1:kms:<blob>`. */
const ENTRY = /^([A-Za-z0-9_-]{1,64}):(?:(kms):)?([A-Za-z0-9+/]{1,8192}={0,2})$/;
/** 43 characters of base64 and the padding are 32 bytes. */
const KEY = /^[A-Za-z0-9+/]{43}=$/;
const FILE = 'file:';

export interface MasterKeys {
  /** The id of the key that encrypts. */
  current: string;
  byId: ReadonlyMap<string, KeyObject>;
}

export interface MasterKeyEntry {
  id: string;
  /** Undefined: `given` is the key. */
  source: 'kms' | undefined;
  given: string;
}

/**
 * A store of master keys outside of MASTER_KEYS: returns the 32 bytes of a key in base64 for its entry. Called once, at the start. Throws an Error
 * with the reason, never with the entry itself.
 */
export type MasterKeySource = (given: string, id: string) => Promise<string>;

export type MasterKeySources = Record<'kms', MasterKeySource>;

/**
 * Reads MASTER_KEYS: `id:base64key[,id:base64key…]`, keys of 256 bits, or `file:/path` of a file with the same format. The first key encrypts, all
 * decrypt. Throws an Error that names an entry by its position, because text in the wrong position may be the key itself.
 */
export function readMasterKeys(text: string): MasterKeyEntry[] {
  const written = text.startsWith(FILE) ? readSecretFile(text.slice(FILE.length)) : text;
  const entries = written.split(',').map((entry, index) => parse(entry.trim(), index + 1));
  if (new Set(entries.map(({ id }) => id)).size < entries.length)
    throw new Error('MASTER_KEYS: each id must stand once');
  return entries;
}

/** Fetches keys from their sources, once. Throws an Error that names the first entry that cannot be opened. */
export async function openMasterKeys(entries: MasterKeyEntry[], sources: MasterKeySources): Promise<MasterKeys> {
  const open = async ({ id, source, given }: MasterKeyEntry): Promise<[string, KeyObject]> => {
    const key = source ? await sources[source](given, id).catch((error: Error) => throwClosed(id, error)) : given;
    if (!KEY.test(key)) throwClosed(id, new Error(`${source} gave no key of 32 bytes`));
    return [id, createSecretKey(key, 'base64')];
  };
  const byId = new Map(await Promise.all(entries.map(open)));
  return { current: entries[0]!.id, byId };
}

function parse(entry: string, position: number): MasterKeyEntry {
  const [, id, source, given] = ENTRY.exec(entry) ?? [];
  if (id && given && source === 'kms') return { id, source, given };
  if (id && given && KEY.test(given)) return { id, source: undefined, given };
  const forms = 'id:key, the key 32 bytes in base64, or id:kms:blob, what AWS KMS made of them, in base64';
  throw new Error(`MASTER_KEYS: entry ${position} must be ${forms}`);
}

function throwClosed(id: string, cause: Error): never {
  throw new Error(`MASTER_KEYS: entry ${id}: ${cause.message}`, { cause });
}
