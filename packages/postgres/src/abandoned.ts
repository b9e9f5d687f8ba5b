import { existsSync, lstatSync, readdirSync, readFileSync, realpathSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { OUTSIDE, ownerFile } from './server-home.js';
import { isServed } from './processes.js';

/** A database outside of its DATA_DIR to which no DATA_DIR links. */
export interface AbandonedDatabase {
  /** The name of its folder. */
  name: string;
  /** Undefined if the database was last started by a version that did not record the DATA_DIR. */
  dataDir?: string;
  bytes: number;
  /** Set if a server is running on the database, because the product still runs after its DATA_DIR was deleted. */
  isInUse: boolean;
}

/** The hash of a DATA_DIR. If the same DATA_DIR has a newer database, it is followed by the time at which this database was moved aside. */
const NAME = /^[0-9a-f]{16}(\.\d+)?(\.removing)?$/;
/** Suffix of a folder that is being removed. If the removal is interrupted, the next command completes it. */
const MOVED = '.removing';

/**
 * Returns the databases under `outside` with a deleted DATA_DIR. Excludes databases with an unknown DATA_DIR, and the database of `dataDir`, because
 * `dataDir` may have been moved since its path was recorded.
 */
export function listAbandoned(dataDir: string, outside = OUTSIDE): AbandonedDatabase[] {
  if (!existsSync(outside)) return [];
  const folders = readdirSync(outside).filter((name) => NAME.test(name) && isAbandoned(join(outside, name)));
  const unused = folders.filter((name) => !leadsTo(join(dataDir, 'postgres'), join(outside, name)));
  return unused.map((name) => describe(outside, name));
}

/**
 * Deletes the abandoned databases that have no running server, or only the database with the name `only`. Returns the deleted databases. Each folder
 * is renamed first, so that a product that starts with a new DATA_DIR at the same path never finds a partial database.
 */
export function removeAbandoned(dataDir: string, only?: string, outside = OUTSIDE): AbandonedDatabase[] {
  const unused = listAbandoned(dataDir, outside).filter(
    ({ name, isInUse }) => !isInUse && (only === undefined || name === only),
  );
  return unused.filter(({ name }) => {
    const [folder, moved] = [join(outside, name), join(outside, name.replace(MOVED, '') + MOVED)];
    // An interrupted removal of an earlier database of this name leaves a folder. A folder cannot be renamed to one that is not empty.
    if (folder !== moved && existsSync(moved)) {
      if (isServed(join(moved, 'data'))) return false;
      rmSync(moved, { recursive: true });
    }
    if (!existsSync(folder)) return folder === moved;
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
  // A name with a timestamp marks a database that a newer database of the same DATA_DIR replaced. For other databases without a recorded DATA_DIR, it
  // is unknown whether one exists, so they count as used.
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
    // A running server may delete its files at any time.
    return sum + (lstatSync(join(parentPath, name), { throwIfNoEntry: false })?.size ?? 0);
  }, 0);
}
