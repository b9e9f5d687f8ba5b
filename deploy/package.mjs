// node deploy/package.mjs [folder]: writes the product as an npm package, drawbridge-<version>.tgz, to the folder (default: dist), and prints its
// path. `npm run package` is the same. The package contains all code; npm installs the database server of its platform, and three packages that the code
// reads as files.
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parse } from 'yaml';
import { prepare } from '../scripts/prepare.mjs';

const ROOT = join(import.meta.dirname, '..');
const AS_FILES = ['jsonata', 'quickjs-wasi', '@swc/wasm-typescript'];

await prepare();
const destination = resolve(process.argv[2] ?? join(ROOT, 'dist'));
const folder = mkdtempSync(join(tmpdir(), 'drawbridge-package-'));
try {
  execFileSync(process.execPath, [join(import.meta.dirname, 'bundle.mjs'), 'drawbridge', folder, '--sbom']);
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(manifest(), null, 2)}\n`);
  rmSync(join(folder, 'node_modules'), { recursive: true });
  for (const file of ['LICENSE', 'README.md']) cpSync(join(ROOT, file), join(folder, file));
  mkdirSync(destination, { recursive: true });
  const packed = execFileSync('npm', ['pack', '--json', '--pack-destination', destination], { cwd: folder });
  console.log(join(destination, JSON.parse(packed)[0].filename));
} finally {
  rmSync(folder, { recursive: true, force: true });
}

function manifest() {
  const { version, description, license, engines } = readJson(join(ROOT, 'package.json'));
  const { optionalDependencies } = readJson(join(ROOT, 'packages/postgres/package.json'));
  const { catalog } = parse(readFileSync(join(ROOT, 'pnpm-workspace.yaml'), 'utf8'));
  const pinned = (names) => Object.fromEntries(names.map((name) => [name, catalog[name]]));
  return {
    name: 'drawbridge',
    version,
    description,
    license,
    type: 'module',
    engines,
    bin: { drawbridge: 'dist/main.js' },
    dependencies: pinned(AS_FILES),
    optionalDependencies: pinned(Object.keys(optionalDependencies)),
  };
}

function readJson(file) {
  return JSON.parse(readFileSync(file, 'utf8'));
}
