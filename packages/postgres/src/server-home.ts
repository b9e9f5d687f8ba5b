import { createHash } from 'node:crypto';
import { chownSync, existsSync, mkdirSync, realpathSync, renameSync } from 'node:fs';
import { statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { packagedNative, sharedNative } from './binaries.js';
import { stopOrphan } from './stop-orphan.js';
import { serverUser } from './server-user.js';

/** As root everything that the server user must enter stands here, because no clone need be open to it. */
export const OUTSIDE = '/var/lib/drawbridge';

/** Names the DATA_DIR of a database outside of it, for when that was deleted. */
export const ownerFile = (folder: string): string => join(folder, 'data-dir');

export type ServerHome = {
  /** Holds the data and the password; only the server user enters. */
  folder: string;
  /** PostgreSQL's own bin, lib and share. */
  native: string;
  /** Who runs the server when we are root, which PostgreSQL refuses to be. */
  user?: { uid: number; gid: number };
};

/** The place of this data directory's database, made when absent: `postgres` inside it, which as root is a link out of it. */
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
  // The data directory was deleted and its database outlived it. Deleting data is not ours to decide.
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
