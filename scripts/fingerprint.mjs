import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { ROOT } from './step.mjs';

/** Files and folders that a build reads, and the files in them that the build writes. */
const SOURCES = [
  'package.json',
  'pnpm-lock.yaml',
  'tsconfig.base.json',
  'tsconfig.package.json',
  'tsconfig.json',
  'scripts/build.mjs',
  'buf.yaml',
  'buf.gen.yaml',
];
const FOLDERS = ['packages', 'services', 'proto', 'docs'];
const WRITTEN = new Set([
  ...['node_modules', 'dist', 'gen', 'openapi.json'],
  ...['guides', 'reference', 'OPERATIONS.md', 'surface.txt'],
]);

/** Returns a hash of the path, size and modification time of each source file. It reads no content, so it is fast enough for each start. */
export function sourceFingerprint() {
  const hash = createHash('sha256').update(process.version);
  for (const name of SOURCES) hash.update(look(name));
  for (const folder of FOLDERS) walk(folder, hash);
  return hash.digest('hex');
}

/**
 * Returns a hash of the contents of these files and folders. A folder that the build writes counts with all its files, any other folder with its source
 * files. A missing file or folder counts as empty.
 */
export function contentHash(names) {
  const hash = createHash('sha256');
  for (const name of names) {
    const stat = statSync(join(ROOT, name), { throwIfNoEntry: false });
    if (stat?.isDirectory()) walk(name, hash, { describe: read, isSource: !WRITTEN.has(basename(name)) });
    else if (stat) hash.update(read(name));
  }
  return hash.digest('hex');
}

/** Returns a hash of the names of the source files in a folder. A missing folder counts as empty. */
export function nameHash(folder) {
  const hash = createHash('sha256');
  if (existsSync(join(ROOT, folder))) walk(folder, hash, { describe: (path) => `${path}\n` });
  return hash.digest('hex');
}

function walk(folder, hash, { describe = look, isSource = true } = {}) {
  const entries = readdirSync(join(ROOT, folder), { withFileTypes: true });
  for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
    const path = join(folder, entry.name);
    if (isSource && WRITTEN.has(entry.name)) continue;
    if (entry.isDirectory()) walk(path, hash, { describe, isSource });
    else if (!entry.name.includes('.test.')) hash.update(describe(path));
  }
}

const read = (path) => `${path} ${readFileSync(join(ROOT, path))}\n`;

function look(path) {
  const stat = statSync(join(ROOT, path), { throwIfNoEntry: false });
  return `${path} ${stat?.size} ${stat?.mtimeMs}\n`;
}
