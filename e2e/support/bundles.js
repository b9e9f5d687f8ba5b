// Products start from one file a process, with half the work: of separate services it is the one that their images hold. All in one
// starts so where a test file has a product of its own; what the run itself starts, and what packages/cli tests, is the workspace.
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
/** What our code reads beside itself, such as migrations, stays where it is. */
const OURS = /\/(packages|services)\/[^/]+\/dist\/.*\.js$/;

/** In a folder of this run alone: `services`, a folder of them, or `cli`, a file; `discard` deletes it. */
export async function bundles(shape) {
  const folder = mkdtempSync(join(tmpdir(), 'drawbridge-bundles-'));
  const made = shape === 'processes' ? await bundleServices(folder) : await bundleCli(folder);
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
    // CommonJS inside of it asks for Node's own modules by require, which an ES module lacks.
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
