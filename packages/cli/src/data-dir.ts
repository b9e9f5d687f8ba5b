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
import { type AllConfig } from './config-flags.js';

/** The folder of an all-in-one installation. It contains the generated secrets, which only their owner can read. */
interface DataDir {
  path: string;
  /** Returns the generated MASTER_KEYS, for an operator who configured none. */
  masterKeys(): string;
  /**
   * Returns the generated INTERNAL_KEY, for an operator who configured none. It is stored, so that links that are signed with it stay valid after a
   * restart.
   */
  internalKey(): string;
  /** Returns the generated BOOTSTRAP_API_KEY, for an operator who configured none. `isNew` is true until the key was shown. */
  bootstrapKey(): { plainKey: string; isNew: boolean };
  /** Records that the key was printed. If a start fails before that, the next start prints the key. */
  noteShown(): void;
  /** Deletes a bootstrap key that is not valid in this database. */
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

/** Returns the path of the file that contains the generated MASTER_KEYS. */
export function masterKeysFile(folder: string): string {
  return join(resolve(folder), 'master-keys');
}

/** Throws if the folder neither exists nor can be created. Writes nothing. */
export function requireUsableFolder(folder: string): void {
  const path = resolve(folder);
  if (!existsSync(path)) return dirname(path) === path ? undefined : requireUsableFolder(dirname(path));
  if (!statSync(path).isDirectory())
    throw new Error(`must be a folder, but ${path} is a file. Choose another with --data-dir`);
  try {
    accessSync(path, constants.W_OK | constants.X_OK);
  } catch (cause) {
    throw new Error(
      `must be a folder that this user can write to, but ${path} is not. Choose another with --data-dir`,
      {
        cause,
      },
    );
  }
}

/** The id is derived from the key, so that a replacement for a lost key has a different id. */
function newMasterKey(): string {
  const key = randomBytes(32);
  const id = createHash('sha256').update(key).digest('hex').slice(0, 8);
  return `local-${id}:${key.toString('base64')}`;
}

/** Writes a new secret to disk before it is used, because data that is encrypted with a lost key is lost too. */
function readOrCreate(file: string, generate: () => string): string {
  if (!existsSync(file)) writeAtomically(file, generate());
  return readFileSync(file, 'utf8');
}

/** Writes a temporary file and renames it, so that a partial file never exists. */
function writeAtomically(file: string, text: string): void {
  const draft = `${file}.${process.pid}`;
  writeFileSync(draft, text, { mode: 0o600, flush: true });
  renameSync(draft, file);
}

export interface FirstKey {
  plainKey: string;
  /**
   * Returns the line about the key in the banner. A generated key is shown once, at the first successful start. A key that the operator configured is
   * never shown.
   */
  describe(opensKey: (plainKey: string) => Promise<boolean>): Promise<DescribedKey>;
}

interface DescribedKey {
  text: string;
  /** Set at the first successful start of a new installation. */
  isFirstStart: boolean;
}

/** Returns the API key of the first organization: the operator's BOOTSTRAP_API_KEY, or a key that is generated into DATA_DIR. */
export function firstKey(config: AllConfig, dataDir: DataDir): FirstKey {
  if (config.BOOTSTRAP_API_KEY) {
    return { plainKey: config.BOOTSTRAP_API_KEY, describe: async () => described('as given in BOOTSTRAP_API_KEY') };
  }
  const { plainKey, isNew } = dataDir.bootstrapKey();
  const describe: FirstKey['describe'] = async (opensKey) => {
    if (!isNew) return described(`in ${dataDir.bootstrapFile}`);
    if (await opensKey(plainKey)) {
      dataDir.noteShown();
      return described(`${plainKey} (kept in ${dataDir.bootstrapFile})`, true);
    }
    // The database already contained organizations when this DATA_DIR was created, so it does not contain the key.
    dataDir.dropBootstrapKey();
    return described('the database has organizations already; create one with the command `admin key create`');
  };
  return { plainKey, describe };
}

const described = (text: string, isFirstStart = false): DescribedKey => ({ text, isFirstStart });
