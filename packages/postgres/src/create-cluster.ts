import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import {
  chownSync,
  closeSync,
  existsSync,
  fsyncSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { nativeMajor } from './binaries.js';
import { SERVER_ENV } from './launch.js';
import { type ServerHome } from './server-home.js';

/** Makes the database independent of the machine's locales: UTF-8, sorted by code point, Unicode case rules. */
const FLAGS = ['--encoding=UTF8', '--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8'];

/**
 * Creates the database files on first use, and returns the password. The files are renamed at the end, so that an incomplete initdb is never used.
 */
export async function createCluster(home: ServerHome, data: string, log: (line: string) => void): Promise<string> {
  const passwordFile = join(home.folder, 'password');
  if (existsSync(data)) return readFileSync(passwordFile, 'utf8');

  log(`creating the database in ${home.folder}`);
  for (const name of readdirSync(home.folder)) {
    if (name.startsWith('initdb-')) rmSync(join(home.folder, name), { recursive: true });
  }
  const password = randomBytes(24).toString('base64url');
  writeFileSync(passwordFile, password, { mode: 0o600, flush: true });
  const draft = mkdtempSync(join(home.folder, 'initdb-'));
  if (home.user) for (const path of [passwordFile, draft]) chownSync(path, home.user.uid, home.user.gid);

  const args = [
    `--pgdata=${draft}`,
    `--pwfile=${passwordFile}`,
    '--username=drawbridge',
    '--auth=scram-sha-256',
    ...FLAGS,
  ];
  await promisify(execFile)(join(home.native, 'bin/initdb'), args, { ...home.user, cwd: home.folder, env: SERVER_ENV });
  renameSync(draft, data);
  syncFolder(home.folder);
  return password;
}

function syncFolder(folder: string) {
  const descriptor = openSync(folder, 'r');
  fsyncSync(descriptor);
  closeSync(descriptor);
}

/** Throws an error with instructions if another major version created the database, because PostgreSQL cannot read it. */
export function requireSameVersion(data: string, dataDir: string): void {
  const file = join(data, 'PG_VERSION');
  const made = existsSync(file) ? readFileSync(file, 'utf8').trim() : nativeMajor();
  if (made === nativeMajor()) return;
  throw new Error(
    `DATA_DIR ${dataDir} has a database of PostgreSQL ${made}, but this version of Drawbridge includes PostgreSQL ${nativeMajor()}. ` +
      'Start the version that created it and dump the database (docs/operating.md), or set another DATA_DIR.',
  );
}
