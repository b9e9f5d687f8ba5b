import { createHash, randomBytes } from 'node:crypto';
import {
  accessSync,
  constants,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { newApiKey } from '@drawbridge/contracts';

/** The folder of an all-in-one installation: what it generates, it keeps here, for its owner alone. */
export interface DataDir {
  path: string;
  /** MASTER_KEYS for an operator who gave none. */
  masterKeys(): string;
  /** INTERNAL_KEY for the same: links that were made with it work after a restart. */
  internalKey(): string;
  /** BOOTSTRAP_API_KEY for an operator who gave none; `isNew` until it was shown. */
  bootstrapKey(): { plainKey: string; isNew: boolean };
  /** It was on the terminal once. A start that failed before that shows it the next time. */
  noteShown(): void;
  /** Forgets a bootstrap key that opened nothing. */
  dropBootstrapKey(): void;
  bootstrapFile: string;
}

export function openDataDir(folder: string): DataDir {
  const path = resolve(folder);
  mkdirSync(path, { recursive: true, mode: 0o700 });
  const bootstrapFile = join(path, 'bootstrap.json');
  return {
    path,
    bootstrapFile,
    masterKeys: () => readOrCreate(masterKeysFile(path), newMasterKey),
    internalKey: () => readOrCreate(join(path, 'internal-key'), () => randomBytes(32).toString('hex')),
    bootstrapKey: () => {
      const made = (): string => JSON.stringify({ plainKey: newApiKey(), isNew: true });
      const { plainKey, isNew = false } = JSON.parse(readOrCreate(bootstrapFile, made));
      return { plainKey, isNew };
    },
    noteShown: () => {
      const { plainKey } = JSON.parse(readFileSync(bootstrapFile, 'utf8'));
      writeAtomically(bootstrapFile, JSON.stringify({ plainKey }));
    },
    dropBootstrapKey: () => rmSync(bootstrapFile, { force: true }),
  };
}

/** Where MASTER_KEYS are kept when they were generated. */
export function masterKeysFile(folder: string): string {
  return join(resolve(folder), 'master-keys');
}

/** Fails, having written nothing, unless the folder can be used or made. */
export function requireUsableFolder(folder: string): void {
  const path = resolve(folder);
  if (!existsSync(path)) return dirname(path) === path ? undefined : requireUsableFolder(dirname(path));
  if (!statSync(path).isDirectory())
    throw new Error(`must be a folder, and ${path} is a file: give another (--data-dir)`);
  try {
    accessSync(path, constants.W_OK | constants.X_OK);
  } catch (cause) {
    throw new Error(`must be a folder that this user may write to, and ${path} is not: give another (--data-dir)`, {
      cause,
    });
  }
}

/** Its id is made from the key: one that was lost and made anew has another, so that nobody takes it for the lost one. */
function newMasterKey(): string {
  const key = randomBytes(32);
  const id = createHash('sha256').update(key).digest('hex').slice(0, 8);
  return `local-${id}:${key.toString('base64')}`;
}

/** On disk before it is used: what is encrypted with a key that was lost in a crash is lost too. */
function readOrCreate(file: string, generate: () => string): string {
  if (!existsSync(file)) writeAtomically(file, generate());
  return readFileSync(file, 'utf8');
}

/** Beside and then renamed: there is never half a file. */
function writeAtomically(file: string, text: string): void {
  const draft = `${file}.${process.pid}`;
  writeFileSync(draft, text, { mode: 0o600, flush: true });
  renameSync(draft, file);
}
