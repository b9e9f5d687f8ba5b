import { chownSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { command } from './command.js';

const NOBODY = 65534;

export interface InstalledPackage {
  /** The folder with the tarball, and with the home folder of the user in `home`. */
  folder: string;
  home: string;
  tarball: string;
  /** The installed program. */
  program: string;
  /** Returns the command as it runs for a user who may write only to the home folder. */
  asUser(...line: string[]): string[];
  remove(): void;
}

/** Returns the environment of this machine, such as its proxy and certificates, without what npm sets for its own commands. */
export function machine(): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('npm_')));
}

/** Builds the npm package and installs it as a user without rights. */
export async function installPackage(): Promise<InstalledPackage> {
  const folder = mkdtempSync(join(tmpdir(), 'drawbridge-package-'));
  const home = join(folder, 'home');
  mkdirSync(home);
  for (const place of [folder, home]) chownSync(place, NOBODY, NOBODY);
  const asUser: InstalledPackage['asUser'] = (...line) =>
    process.getuid?.() === 0
      ? ['setpriv', `--reuid=${NOBODY}`, `--regid=${NOBODY}`, '--clear-groups', '--', ...line]
      : line;
  const tarball = (await command([process.execPath, 'deploy/package.mjs', folder])).trim();
  const prefix = join(home, 'installed');
  // Many machines run no install scripts, so the package must not need them.
  const install = ['npm', 'install', '--global', '--ignore-scripts', '--prefix', prefix, tarball];
  await command(asUser(...install), { cwd: home, env: { ...machine(), HOME: home } });
  const remove = (): void => rmSync(folder, { recursive: true, force: true });
  return { folder, home, tarball, program: join(prefix, 'bin/drawbridge'), asUser, remove };
}
