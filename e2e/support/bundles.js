// Products start from one bundled file for each process, which takes half the CPU time. Separate services use the bundles of their images. All-in-one
// products use a bundle if a test file starts its own product, as do the tests of packages/cli. The shared product runs the files of the workspace.
import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { SERVICES } from '@drawbridge/contracts';
import { build } from 'esbuild';

const ROOT = join(import.meta.dirname, '../..');
const BUNDLE = join(ROOT, 'deploy/bundle.mjs');
/**
 * Matches the modules of this repository. They keep their paths, because files that they read at run time, such as migrations, stay in the workspace.
 */
const OURS = /\/(packages|services)\/[^/]+\/dist\/.*\.js$/;

/**
 * Writes bundles to a temporary folder. Returns `services`, a folder with one bundle for each service, or `cli`, a file. `discard` deletes the
 * folder.
 */
export async function bundles(shape) {
  const folder = mkdtempSync(join(tmpdir(), 'drawbridge-bundles-'));
  const made = shape === 'processes' ? await bundleServices(join(folder, 'services')) : await bundleCli(folder);
  return { ...made, discard: () => rmSync(folder, { recursive: true, force: true }) };
}

async function bundleServices(services) {
  const bundle = (service) => promisify(execFile)(process.execPath, [BUNDLE, service, join(services, service)]);
  await Promise.all(SERVICES.map(bundle));
  return { services };
}

async function bundleCli(folder) {
  const cli = join(folder, 'cli.mjs');
  await build({
    entryPoints: [join(ROOT, 'packages/cli/dist/main.js')],
    outfile: cli,
    bundle: true,
    platform: 'node',
    target: 'node20',
    format: 'esm',
    plugins: [{ name: 'places', setup: keepPlaces }],
    // Bundled CommonJS code loads Node's modules with `require`, which ES modules do not have.
    banner: {
      js: `import { createRequire as requireOfBundle } from 'node:module'; const require = requireOfBundle(import.meta.url);`,
    },
  });
  return { cli };
}

function keepPlaces({ onLoad }) {
  onLoad({ filter: OURS }, ({ path }) => ({
    contents: readFileSync(path, 'utf8')
      .replaceAll('import.meta.dirname', JSON.stringify(dirname(path)))
      .replaceAll('import.meta.url', JSON.stringify(pathToFileURL(path).href)),
  }));
}
