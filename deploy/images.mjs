// node deploy/images.mjs [name…]: builds the images drawbridge-<service>, and drawbridge with all services and the embedded database, from this clone.
//   --tag TAG    default: latest
//   --bundles    from the build of this workspace (pnpm build), instead of an installation and a build inside the image
// The labels depend on the commit alone: the time is that of the commit, or SOURCE_DATE_EPOCH.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

const ROOT = join(import.meta.dirname, '..');
const ALL = [...readdirSync(join(ROOT, 'services')), 'drawbridge'];
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { tag: { type: 'string', default: 'latest' }, bundles: { type: 'boolean' } },
});
const unknown = positionals.find((name) => !ALL.includes(name));
if (unknown) {
  console.error(`No image is named ${unknown}. There are ${ALL.join(', ')}.`);
  process.exit(1);
}

const epoch = process.env.SOURCE_DATE_EPOCH || git('log', '-1', '--format=%ct');
for (const name of positionals.length > 0 ? positionals : ALL) buildImage(name);

function buildImage(name) {
  const bundle = values.bundles ? importBundle(name) : undefined;
  const image = name === 'drawbridge' ? name : `drawbridge-${name}`;
  const args = { SERVICE: name, SOURCE_DATE_EPOCH: epoch, ...(bundle && { BUNDLE: bundle }) };
  const flags = [
    ...['--file', 'deploy/Dockerfile', '--target', name === 'drawbridge' ? name : 'service'],
    ...Object.entries(args).flatMap(([key, value]) => ['--build-arg', `${key}=${value}`]),
    ...Object.entries(labels(image)).flatMap(([key, value]) => ['--label', `org.opencontainers.image.${key}=${value}`]),
    ...['--tag', `${image}:${values.tag}`],
    ...(bundle ? ['--network', 'none'] : []), // a bundle is complete, so its build downloads nothing
  ];
  execFileSync('docker', ['build', ...flags, '.'], {
    cwd: ROOT,
    env: { ...process.env, DOCKER_BUILDKIT: '1', SOURCE_DATE_EPOCH: epoch },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  console.log(`${image}:${values.tag}`);
}

/** Returns the labels of an image: https://github.com/opencontainers/image-spec/blob/main/annotations.md */
function labels(title) {
  const { version, description, license } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
  const created = new Date(Number(epoch) * 1000).toISOString();
  return { title, description, version, licenses: license, revision: git('rev-parse', 'HEAD'), created };
}

/** Makes an image with a program in /app and nothing else. Returns its name. */
function importBundle(name) {
  const folder = mkdtempSync(join(tmpdir(), 'drawbridge-bundle-'));
  const image = `drawbridge-bundle-${name}`;
  try {
    execFileSync(process.execPath, [join(import.meta.dirname, 'bundle.mjs'), name, join(folder, 'app'), '--sbom']);
    const tar = ['-C', folder, '--sort=name', `--mtime=@${epoch}`, '--owner=0', '--group=0', '--numeric-owner'];
    const archive = join(folder, 'bundle.tar');
    execFileSync('tar', [...tar, '-cf', archive, 'app']);
    execFileSync('docker', ['import', archive, image], { stdio: ['ignore', 'ignore', 'inherit'] });
    return image;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function git(...args) {
  return execFileSync('git', args, { cwd: ROOT, encoding: 'utf8' }).trim();
}
