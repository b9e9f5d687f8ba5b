// node deploy/bundle.mjs <service> <folder>: writes a built service in the layout of its image: the bundled code and the files that it reads.
//   dist/main.js              all code, including dependencies
//   dist/*-worker.js          one bundle for each worker thread
//   THIRD-PARTY-LICENSES      licences of the bundled packages
//   prisma/migrations/        applied at start
//   node_modules/jsonata/     code that the data-transformer piece reads as text
//   node_modules/quickjs-wasi/, node_modules/@swc/wasm-typescript/    the engine of the sandbox, and what removes types
//   openapi.json, pages.css, guides/, reference/    the gateway's pages
import { cpSync, existsSync, readdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { build } from 'esbuild';

const [service, folder] = process.argv.slice(2);
const source = join(import.meta.dirname, '../services', service ?? '');
const entry = join(source, 'dist/main.js');
if (!service || !folder || !existsSync(entry)) {
  console.error('Usage: node deploy/bundle.mjs <service> <folder>, after the service was built');
  process.exit(1);
}

const files = readdirSync(join(source, 'dist'), { recursive: true });
// The bundled code looks for its worker files in its own folder, dist.
const threads = files.filter((file) => file.endsWith('-worker.js')).map((file) => join(source, 'dist', file));
const sandbox = 'node_modules/@drawbridge/sandbox';
if (existsSync(join(source, sandbox))) threads.push(join(source, sandbox, 'dist/vm-worker.js'));
const { metafile } = await build({
  entryPoints: [entry, ...threads].map((file) => ({ in: file, out: basename(file, '.js') })),
  outdir: join(folder, 'dist'),
  bundle: true,
  platform: 'node',
  target: 'node20',
  format: 'esm',
  legalComments: 'none', // the licence texts are in THIRD-PARTY-LICENSES
  metafile: true,
  // Bundled CommonJS code loads Node's modules with require and reads __dirname, which ES modules lack. Bundled code must not declare the names of this
  // banner.
  banner: {
    js: `import { createRequire as requireOfBundle } from 'node:module'; const require = requireOfBundle(import.meta.url); globalThis.__dirname = import.meta.dirname;`,
  },
});
writeFileSync(join(folder, 'package.json'), '{"type":"module"}\n');
writeFileSync(join(folder, 'THIRD-PARTY-LICENSES'), licenses(Object.keys(metafile.inputs)));

// At run time the service reads these files from the folder above its code, in the image as in the workspace.
const read = ['prisma/migrations', 'openapi.json', 'pages.css', 'guides', 'reference'];
for (const path of read) copy(path, path);
const pieces = 'node_modules/@drawbridge/pieces';
const jsonata = `${pieces}/node_modules/jsonata`;
if (existsSync(join(source, pieces)) && !existsSync(join(source, jsonata))) throw new Error(`There is no ${jsonata}`);
copy(jsonata, 'node_modules/jsonata');
for (const name of ['quickjs-wasi', '@swc/wasm-typescript'])
  copy(`${sandbox}/node_modules/${name}`, `node_modules/${name}`);

function copy(path, to) {
  const from = join(source, path);
  if (existsSync(from)) cpSync(realpathSync(from), join(folder, to), { recursive: true });
}

/** Returns the licence texts of the packages that these files belong to. */
function licenses(files) {
  const packages = files.map((file) => /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+/.exec(file)?.[0]).filter(Boolean);
  const texts = [...new Set(packages)].sort().map((path) => {
    const { name, version, license } = JSON.parse(readFileSync(join(path, 'package.json'), 'utf8'));
    const file = readdirSync(path).find((entry) => /^licen[cs]e/i.test(entry));
    return `${name} ${version} (${license})\n\n${file ? readFileSync(join(path, file), 'utf8') : ''}`;
  });
  return texts.join(`\n${'-'.repeat(80)}\n`);
}
