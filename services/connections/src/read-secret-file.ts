import { readFileSync, statSync } from 'node:fs';
import { isAbsolute } from 'node:path';

/** Enough for ten keys that AWS KMS sealed. */
const MAX_BYTES = 64 * 1024;
/** Permission bits that the file must not have: the group may read it, others may not. */
const OPEN_TO_OTHERS = 0o027;

/** Reads a file that only its owner may write. Throws an Error that does not repeat the path, because it may be a key. */
export function readSecretFile(path: string): string {
  if (!isAbsolute(path)) throw refusal('must be named by its whole path: file:/path');
  const { mode, size } = orRefuse(() => statSync(path));
  if ((mode & OPEN_TO_OTHERS) !== 0) throw refusal('is open to others than its owner: chmod 600');
  if (size > MAX_BYTES) throw refusal(`must have at most ${MAX_BYTES} bytes`);
  return orRefuse(() => readFileSync(path, 'utf8'));
}

function orRefuse<T>(look: () => T): T {
  try {
    return look();
  } catch (cause) {
    const code = typeof cause === 'object' && cause !== null && 'code' in cause ? ` (${String(cause.code)})` : '';
    throw refusal(`can not be read${code}`, cause);
  }
}

function refusal(why: string, cause?: unknown): Error {
  return new Error(`MASTER_KEYS: the file ${why}`, { cause });
}
