import { createSecretKey, type KeyObject } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import { isAbsolute } from 'node:path';
import { configuredEgress, EGRESS_VARIABLES } from '@drawbridge/egress';
import { type Config, text, type Variables } from '@drawbridge/rpc';
import { kms, KMS_VARIABLES, type Unseal } from './kms.js';

/** Matches an entry with a plain key, `k1:<key>`, or with a key that AWS KMS encrypted, `k1:kms:<blob>`. */
const ENTRY = /^([A-Za-z0-9_-]{1,64}):(?:(kms):)?([A-Za-z0-9+/]{1,8192}={0,2})$/;
/** Matches 32 bytes in base64: 43 characters and the padding. */
const KEY = /^[A-Za-z0-9+/]{43}=$/;
const FILE = 'file:';

export interface MasterKeys {
  /** The id of the master key that encrypts new data keys. */
  current: string;
  byId: ReadonlyMap<string, KeyObject>;
}

interface MasterKeyEntry {
  id: string;
  /** True if `given` is a key that AWS KMS encrypted. */
  isSealed: boolean;
  given: string;
}

/**
 * Parses MASTER_KEYS: `id:base64key[,id:base64key…]` with keys of 256 bits, or `file:/path` of a file with the same format. The first key encrypts,
 * and all keys decrypt. Throws an Error that identifies an invalid entry by its position and does not quote it, because it may contain a key.
 */
export function readMasterKeys(text: string): MasterKeyEntry[] {
  const written = text.startsWith(FILE) ? readSecretFile(text.slice(FILE.length)) : text;
  const entries = written.split(',').map((entry, index) => parse(entry.trim(), index + 1));
  if (new Set(entries.map(({ id }) => id)).size < entries.length) throw new Error('MASTER_KEYS: ids must be unique');
  return entries;
}

/** Minimum number of different bytes in a key. A random key of 32 bytes has about 30. */
const MIN_DISTINCT_BYTES = 16;
/** Matches keys of printable characters. Only one in 10^13 random keys consists of these characters. */
const TYPED = /^[\x20-\x7e]+$/;

/** Returns the ids of keys that are not random, such as a repeated byte or a typed sentence. Does not check keys that a KMS encrypted. */
export function weakMasterKeys(text: string): string[] {
  const isWeak = (key: Buffer): boolean => new Set(key).size < MIN_DISTINCT_BYTES || TYPED.test(key.toString('latin1'));
  const plain = readMasterKeys(text).filter(({ isSealed }) => !isSealed);
  return plain.filter(({ given }) => isWeak(Buffer.from(given, 'base64'))).map(({ id }) => id);
}

/**
 * Converts the entries to keys, and decrypts entries that KMS encrypted. Runs once, at the start of a process. Throws an Error that names the first
 * entry that cannot be decrypted.
 */
export async function openMasterKeys(entries: MasterKeyEntry[], unseal: Unseal): Promise<MasterKeys> {
  const open = async ({ id, isSealed, given }: MasterKeyEntry): Promise<[string, KeyObject]> => {
    const key = isSealed ? await unseal(given, id).catch((error: Error) => throwClosed(id, error)) : given;
    if (!KEY.test(key)) throwClosed(id, new Error('KMS did not return a key of 32 bytes'));
    return [id, createSecretKey(key, 'base64')];
  };
  const byId = new Map(await Promise.all(entries.map(open)));
  return { current: entries[0]!.id, byId };
}

function parse(entry: string, position: number): MasterKeyEntry {
  const [, id, source, given] = ENTRY.exec(entry) ?? [];
  if (id && given && (source === 'kms' || KEY.test(given))) return { id, isSealed: source === 'kms', given };
  const forms = 'id:key, the key 32 bytes in base64, or id:kms:blob with a key that AWS KMS encrypted, in base64';
  throw new Error(`MASTER_KEYS: entry ${position} must be ${forms}`);
}

function throwClosed(id: string, cause: Error): never {
  throw new Error(`MASTER_KEYS: entry ${id}: ${cause.message}`, { cause });
}

/** The environment variables of the vault. */
export const MASTER_KEY_VARIABLES = {
  MASTER_KEYS: {
    ...text({
      default: '',
      desc: '`id:base64key[,id:base64key…]`, or `file:/path`: the first key encrypts, every listed key can decrypt. Generated into DATA_DIR.',
    }),
    isSecret: true,
    isRequired: true,
    check: (keys: string): unknown => readMasterKeys(keys),
  },
  ...KMS_VARIABLES,
  ...EGRESS_VARIABLES,
} satisfies Variables;

/** Decrypts the configured master keys. Throws an Error that names the first entry that cannot be decrypted. */
export async function configuredMasterKeys(config: Config<typeof MASTER_KEY_VARIABLES>): Promise<MasterKeys> {
  const entries = readMasterKeys(config.MASTER_KEYS);
  const egress = configuredEgress(config);
  return openMasterKeys(entries, kms(config, egress.sendFor('master-keys'))).finally(() => egress.close());
}

/** Maximum size of the file, which is enough for ten keys that AWS KMS encrypted. */
const MAX_BYTES = 64 * 1024;
/** Permission bits that the file must not have. The group may only read it, and other users must have no access. */
const OPEN_TO_OTHERS = 0o027;

/** Reads a file that only its owner can write. Throws an Error that does not contain the path, because the path may be a key. */
function readSecretFile(path: string): string {
  if (!isAbsolute(path)) throw refusal('must have an absolute path: file:/path');
  const { mode, size } = orRefuse(() => statSync(path));
  if ((mode & OPEN_TO_OTHERS) !== 0) throw refusal('can be accessed by other users. Run chmod 600');
  if (size > MAX_BYTES) throw refusal(`must have at most ${MAX_BYTES} bytes`);
  return orRefuse(() => readFileSync(path, 'utf8'));
}

function orRefuse<T>(look: () => T): T {
  try {
    return look();
  } catch (cause) {
    const code = typeof cause === 'object' && cause !== null && 'code' in cause ? ` (${String(cause.code)})` : '';
    throw refusal(`cannot be read${code}`, cause);
  }
}

function refusal(why: string, cause?: unknown): Error {
  return new Error(`MASTER_KEYS: the file ${why}`, { cause });
}
