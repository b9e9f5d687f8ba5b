// Builds the images of the manifests from files of this machine, and writes them to IMAGES: the test cluster cannot pull images.
import { mkdirSync, renameSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { startEmptyDocker } from '@drawbridge/testkit';
import { IMPORT_OPTIONS, prepareSandboxImage } from '../../../deploy/sandbox/build.mjs';
import { ROOT, run } from '../../../scripts/step.mjs';

export const IMAGES = join(ROOT, '.cache/cluster-images.tar');
const STAND_INS = {
  postgres: 'postgres:18',
  kafka: 'apache/kafka:4.1.0',
  redis: 'redis:8',
  pause: 'drawbridge-test-pause:1',
};

const SANDBOX = 'drawbridge-sandbox:0.1.0';

if (process.argv[1] === import.meta.filename) await buildImages();

async function buildImages() {
  const engine = await startEmptyDocker(join(ROOT, '.cache/deploy/engine'));
  try {
    await run(process.execPath, ['e2e/deploy/stand-ins/build.mjs', 'node', ...Object.keys(STAND_INS)], engine.env);
    const built = await run(process.execPath, ['deploy/images.mjs', '--bundles', '--tag', '0.1.0'], engine.env);
    await importSandbox(engine.env);
    const ours = built.split('\n').filter((line) => /^drawbridge(-\w+)?:0\.1\.0$/.test(line));
    mkdirSync(dirname(IMAGES), { recursive: true });
    await run(
      'docker',
      ['save', '--output', `${IMAGES}.new`, ...ours, SANDBOX, ...Object.values(STAND_INS)],
      engine.env,
    );
    renameSync(`${IMAGES}.new`, IMAGES);
  } finally {
    await engine.stop();
  }
}

/** Imports the image of programs as deploy/sandbox/README.md describes. */
async function importSandbox(env) {
  const archive = await prepareSandboxImage();
  await run('docker', ['import', ...IMPORT_OPTIONS, archive, SANDBOX], env);
}
