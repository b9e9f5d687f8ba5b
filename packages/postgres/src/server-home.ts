import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  chownSync,
  existsSync,
  mkdirSync,
  realpathSync,
  renameSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { packagedNative, sharedNative } from './binaries.js';
import { stopOrphan } from './processes.js';

/** If the product runs as root, the server's files are stored here, because the server user may not be able to enter the project folder. */
export const OUTSIDE = '/var/lib/drawbridge';

/** Returns the file in which a database outside of its DATA_DIR records that DATA_DIR, in case the DATA_DIR is deleted. */
export const ownerFile = (folder: string): string => join(folder, 'data-dir');

export type ServerHome = {
  /** The folder of the data and the password. Only the server user can enter it. */
  folder: string;
  /** The folder of PostgreSQL's bin, lib and share. */
  native: string;
  /** The user that runs the server if this process is root, because PostgreSQL does not run as root. */
  user?: { uid: number; gid: number };
};

/**
 * Returns the folder of this data directory's database, and creates it if absent. It is `postgres` inside the data directory. For root, that is a
 * link to a folder outside of the data directory.
 */
export async function openServerHome(dataDir: string, log: (line: string) => void): Promise<ServerHome> {
  const inside = join(dataDir, 'postgres');
  if (process.getuid?.() !== 0) {
    mkdirSync(inside, { recursive: true, mode: 0o700 });
    return { folder: inside, native: packagedNative() };
  }
  if (!existsSync(inside)) await linkOutside(inside, dataDir, log);
  const folder = realpathSync(inside);
  const { uid, gid } = statSync(folder);
  writeFileSync(ownerFile(folder), dataDir, { mode: 0o600 });
  return { folder, user: { uid, gid }, native: sharedNative(OUTSIDE, log) };
}

async function linkOutside(link: string, dataDir: string, log: (line: string) => void) {
  const folder = join(OUTSIDE, createHash('sha256').update(dataDir).digest('hex').slice(0, 16));
  // The data directory was deleted but its database still exists. The data is kept, because only the operator may delete it.
  if (existsSync(folder)) {
    const aside = `${folder}.${Date.now()}`;
    await stopOrphan(join(folder, 'data'), log);
    renameSync(folder, aside);
    log(`the database of an earlier ${dataDir} is kept in ${aside}`);
  }
  const { uid, gid } = serverUser();
  mkdirSync(OUTSIDE, { recursive: true });
  mkdirSync(folder, { mode: 0o700 });
  chownSync(folder, uid, gid);
  symlinkSync(folder, link);
}

const NAME = 'postgres';

/** Returns the system's `postgres` user, and creates it if absent. Used only for root, because PostgreSQL does not run as root. */
function serverUser(): { uid: number; gid: number } {
  const user = find() ?? create();
  if (user) return user;
  throw new Error(
    `PostgreSQL does not run as root and no user "${NAME}" could be created: create one, or set DATABASE_URL`,
  );
}

function find() {
  try {
    const id = (flag: string) => Number(execFileSync('id', [flag, NAME], { encoding: 'utf8', stdio: 'pipe' }));
    return { uid: id('-u'), gid: id('-g') };
  } catch {
    return undefined;
  }
}

/** Tries shadow-utils first, then busybox (Alpine). */
function create() {
  const attempts = [
    ['useradd', '--system', '--user-group', '--no-create-home', '--shell', '/usr/sbin/nologin', NAME],
    ['adduser', '-S', '-D', '-H', '-s', '/sbin/nologin', NAME],
  ];
  for (const [command = '', ...args] of attempts) {
    try {
      execFileSync(command, args, { stdio: 'pipe' });
      return find();
    } catch {
      // The command is not available on this system, so the next command is tried.
    }
  }
  return undefined;
}
