import { existsSync, lstatSync, readdirSync, readFileSync, realpathSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { OUTSIDE, ownerFile } from './server-home.js';
import { isServed } from './processes.js';

/** A database outside of its DATA_DIR that no DATA_DIR links to. */
export interface AbandonedDatabase {
  /** The name of its folder. */
  name: string;
  /** Undefined: the database was moved aside before DATA_DIRs were recorded. */
  dataDir?: string;
  bytes: number;
  /** A server runs on it: the product still runs after its DATA_DIR was deleted. */
  isInUse: boolean;
}

/** The hash of a DATA_DIR and, if a newer database of the same DATA_DIR exists, the time when this one was moved aside. */
const NAME = /^[0-9a-f]{16}(\.\d+)?(\.removing)?$/;
/** Suffix of a folder that is being removed. The next command removes what an interrupted one left. */
const MOVED = '.removing';

/**
 * Returns the databases under `outside` with a deleted DATA_DIR. Excludes databases with an unknown DATA_DIR, and the database of `dataDir`,
 * which may have been moved since its path was recorded.
 */
export function listAbandoned(dataDir: string, outside = OUTSIDE): AbandonedDatabase[] {
  if (!existsSync(outside)) return [];
  const folders = readdirSync(outside).filter((name) => NAME.test(name) && isAbandoned(join(outside, name)));
  const unused = folders.filter((name) => !leadsTo(join(dataDir, 'postgres'), join(outside, name)));
  return unused.map((name) => describe(outside, name));
}

/**
 * Deletes the abandoned databases without a running server; with `only`, the one of that name. Returns the deleted ones. Renames a folder first, so
 * that a product that starts on a new DATA_DIR of the same path never finds half of it.
 */
export function removeAbandoned(dataDir: string, only?: string, outside = OUTSIDE): AbandonedDatabase[] {
  const unused = listAbandoned(dataDir, outside).filter(
    ({ name, isInUse }) => !isInUse && (only === undefined || name === only),
  );
  return unused.filter(({ name }) => {
    const [folder, moved] = [join(outside, name), join(outside, name.replace(MOVED, '') + MOVED)];
    renameSync(folder, moved);
    if (isServed(join(moved, 'data'))) {
      renameSync(moved, folder);
      return false;
    }
    rmSync(moved, { recursive: true });
    return true;
  });
}

function isAbandoned(folder: string): boolean {
  if (folder.endsWith(MOVED)) return true;
  const dataDir = dataDirOf(folder);
  // A database that was moved aside has lost its DATA_DIR. For others without a record nothing is known.
  return dataDir === undefined ? /\.\d+$/.test(folder) : !leadsTo(join(dataDir, 'postgres'), folder);
}

function leadsTo(link: string, folder: string): boolean {
  try {
    return realpathSync(link) === realpathSync(folder);
  } catch {
    return false;
  }
}

function describe(outside: string, name: string): AbandonedDatabase {
  const folder = join(outside, name);
  return { name, dataDir: dataDirOf(folder), bytes: sizeOf(folder), isInUse: isServed(join(folder, 'data')) };
}

function dataDirOf(folder: string): string | undefined {
  return existsSync(ownerFile(folder)) ? readFileSync(ownerFile(folder), 'utf8') : undefined;
}

function sizeOf(folder: string): number {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return files.reduce((sum, { parentPath, name }) => {
    // A running server deletes its own files at any time.
    return sum + (lstatSync(join(parentPath, name), { throwIfNoEntry: false })?.size ?? 0);
  }, 0);
}
