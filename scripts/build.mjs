// `pnpm build` generates sources, compiles all packages in one run of the compiler, and writes what depends on the compiled code. `pnpm gen` only
// generates sources. A step is skipped if its inputs and outputs have not changed since it last succeeded.
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { delimiter, join } from 'node:path';
import { contentHash, nameHash } from './fingerprint.mjs';
import { withLock } from './lock.mjs';
import { ROOT, run } from './step.mjs';

const STATE = join(ROOT, '.cache/built.json');
const LOCK = join(ROOT, '.cache/build.lock');
const TSC = join(ROOT, 'packages/cli/node_modules/.bin/tsc');
const SERVICES = readdirSync(join(ROOT, 'services'));
const CONTRACTS = 'packages/contracts/dist';
/** Every step depends on this file, because it determines the versions of the generators. */
const LOCKFILE = 'pnpm-lock.yaml';

/**
 * Groups of steps that run one after another; the steps of a group run at the same time. A step runs a script of the package in `folder` when the
 * contents of `inputs` or `outputs`, which are files and folders, changed since it last succeeded. So the step restores a committed output after a
 * manual change.
 */
const GENERATE = [
  [compile('packages/contracts')],
  [
    ...SERVICES.filter(hasDatabase).map((name) => ({
      folder: `services/${name}`,
      script: 'generate',
      inputs: [schemaOf(name), `services/${name}/package.json`],
      outputs: [`services/${name}/src/gen`],
    })),
    {
      folder: 'packages/proto',
      script: 'generate',
      inputs: ['packages/proto', 'proto', 'buf.yaml', 'buf.gen.yaml', CONTRACTS],
      outputs: ['packages/proto/src/gen', 'docs/permissions.md'],
    },
    {
      folder: 'packages/pieces',
      script: 'generate',
      inputs: ['packages/pieces/generate.mjs', 'packages/pieces/package.json', 'packages/pieces/src'],
      outputs: ['packages/pieces/src/gen'],
    },
  ],
  [compile('packages/proto')],
  [
    {
      folder: 'services/gateway',
      script: 'generate',
      inputs: ['services/gateway', CONTRACTS, 'packages/proto/dist'],
      outputs: ['services/gateway/src/gen', 'services/gateway/openapi.json', 'docs/errors.md'],
    },
  ],
];
const COMPILE = [
  [compile('.')],
  [
    {
      folder: 'packages/pieces',
      script: 'bundle',
      inputs: ['packages/pieces/package.json', 'packages/pieces/src', 'packages/pieces/src/gen'],
      outputs: ['packages/pieces/dist/bundle.js'],
    },
    {
      folder: 'services/gateway',
      script: 'pages',
      inputs: ['services/gateway/document', 'services/gateway/package.json', 'docs'],
      outputs: ['services/gateway/guides', 'services/gateway/reference'],
    },
  ],
  [
    {
      folder: 'packages/sdk-typescript',
      script: 'build',
      inputs: [
        ...['packages/sdk-typescript', 'packages/piece-kit/dist', 'packages/pieces/dist/bundle.js', CONTRACTS],
        ...['services/gateway/openapi.json', 'docs/errors.md', 'tsconfig.base.json', 'tsconfig.package.json'],
      ],
      outputs: ['src/gen', 'dist', 'OPERATIONS.md', 'generate/surface.txt'].map(
        (name) => `packages/sdk-typescript/${name}`,
      ),
    },
  ],
];

/** Builds what changed since the last build. Rejects with the output of the first step that fails. */
export const build = () => inTurn(() => runGroups([...GENERATE, ...COMPILE]));

const generate = () => inTurn(() => runGroups(GENERATE));

/** Compiles these packages and the packages that they refer to, unless they are up to date. Generates no sources. */
export const compilePackages = (...folders) => inTurn(() => runCompiler(folders));

/**
 * Runs `work` while no other build of this clone runs. First deletes each dist/ that differs from the result of the last build, and each dist/ of a
 * package in which a source file was added, renamed or deleted: the compiler does not check its outputs, so it would keep outputs of another branch, of
 * an interrupted build or of a deleted source.
 */
async function inTurn(work) {
  if (!existsSync(TSC)) throw new Error('The dependencies are not installed. Run `pnpm install` first.');
  await withLock(LOCK, async () => {
    const { references } = JSON.parse(readFileSync(join(ROOT, 'tsconfig.json'), 'utf8'));
    const folders = references.map(({ path }) => path);
    const state = readState();
    for (const folder of folders)
      if (state[folder] !== outputsOf(folder)) rmSync(join(ROOT, folder, 'dist'), { recursive: true, force: true });
    await work();
    remember(Object.fromEntries(folders.map((folder) => [folder, outputsOf(folder)])));
  });
}

const outputsOf = (folder) => nameHash(`${folder}/src`) + contentHash([`${folder}/dist`]);

const runCompiler = (folders) => run(TSC, ['--build', ...folders]);

/** Returns a step without inputs, because the compiler itself determines what changed. */
function compile(folder) {
  return { compiles: folder };
}

function schemaOf(service) {
  return `services/${service}/prisma/schema.prisma`;
}

function hasDatabase(service) {
  return existsSync(join(ROOT, schemaOf(service)));
}

async function runGroups(groups) {
  for (const group of groups) {
    const waiting = [...group];
    const worker = async () => {
      for (let step = waiting.shift(); step; step = waiting.shift()) await runStep(step);
    };
    // Waits for all, because a later build must not begin while a step runs.
    const ends = await Promise.allSettled(Array.from({ length: availableParallelism() }, worker));
    const failed = ends.find(({ status }) => status === 'rejected');
    if (failed) throw failed.reason;
  }
}

async function runStep({ compiles, folder, script, inputs, outputs }) {
  if (compiles) return runCompiler([compiles]);
  const name = `${folder} ${script}`;
  const before = contentHash([...inputs, LOCKFILE]);
  if (readState()[name] === before + contentHash(outputs)) return;
  await runScript(folder, script);
  remember({ [name]: before + contentHash(outputs) });
}

/** Runs a script of a package without the package manager, which takes longer to start than most scripts take. */
function runScript(folder, script) {
  const command = JSON.parse(readFileSync(join(ROOT, folder, 'package.json'), 'utf8')).scripts[script];
  const PATH = [join(ROOT, folder, 'node_modules/.bin'), process.env.PATH].join(delimiter);
  return run('sh', ['-c', `cd "$1" && ${command}`, 'sh', folder], { PATH });
}

function remember(entries) {
  mkdirSync(join(ROOT, '.cache'), { recursive: true });
  writeFileSync(STATE, JSON.stringify({ ...readState(), ...entries }));
}

function readState() {
  try {
    return JSON.parse(readFileSync(STATE, 'utf8'));
  } catch {
    return {}; // Nothing was built, or a run ended while it wrote the file.
  }
}

if (process.argv[1] === import.meta.filename) {
  const work = process.argv.includes('--generate') ? generate : build;
  await work().catch(({ message }) => {
    console.error(message);
    process.exitCode = 1;
  });
}
