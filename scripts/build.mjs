// `pnpm build` generates sources, compiles all packages in one run of the compiler, and writes what depends on the compiled code. `pnpm gen` only
// generates sources. A step is skipped if its inputs and outputs have not changed since it last succeeded.
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { delimiter, join } from 'node:path';
import { contentHash } from './fingerprint.mjs';
import { ROOT, run } from './step.mjs';

const STATE = join(ROOT, '.cache/built.json');
const SERVICES = readdirSync(join(ROOT, 'services'));
const CONTRACTS = 'packages/contracts/dist';
/** An input of every step, because it determines the versions of the generators. */
const LOCKFILE = 'pnpm-lock.yaml';

/**
 * Groups of steps that run one after another; the steps of a group run at the same time. A step runs a script of the package in `folder` when the
 * contents of `inputs` or `outputs`, which are files and folders, changed. Some outputs are committed: the step restores them after a manual change.
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
      inputs: ['packages/pieces/generate.mjs', 'packages/pieces/src'],
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
      inputs: ['packages/pieces/package.json', 'packages/pieces/dist'],
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
        ...['packages/sdk-typescript', 'packages/piece-kit/dist', 'packages/pieces/dist/bundle.js'],
        ...['services/gateway/openapi.json', 'docs/errors.md', 'tsconfig.base.json', 'tsconfig.package.json'],
      ],
      outputs: ['src/gen', 'dist', 'OPERATIONS.md', 'generate/surface.txt'].map(
        (name) => `packages/sdk-typescript/${name}`,
      ),
    },
  ],
];

/** Builds what changed since the last build. Rejects with the output of the first step that fails. */
export async function build() {
  await generate();
  await runGroups(COMPILE);
}

const generate = () => runGroups(GENERATE);

/** Compiles these packages and the packages that they refer to, unless they are up to date. Generates no sources. */
export function compilePackages(...folders) {
  return run(join(ROOT, 'packages/cli/node_modules/.bin/tsc'), ['--build', ...folders]);
}

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
    await Promise.all(Array.from({ length: availableParallelism() }, worker));
  }
}

async function runStep({ compiles, folder, script, inputs, outputs }) {
  if (compiles) return compilePackages(compiles);
  const name = `${folder} ${script}`;
  const before = contentHash([...inputs, LOCKFILE]);
  if (readState()[name] === before + contentHash(outputs)) return;
  await runScript(folder, script);
  mkdirSync(join(ROOT, '.cache'), { recursive: true });
  writeFileSync(STATE, JSON.stringify({ ...readState(), [name]: before + contentHash(outputs) }));
}

/** Runs a script of a package without the package manager, which takes longer to start than most scripts take. */
function runScript(folder, script) {
  const command = JSON.parse(readFileSync(join(ROOT, folder, 'package.json'), 'utf8')).scripts[script];
  const PATH = [join(ROOT, folder, 'node_modules/.bin'), process.env.PATH].join(delimiter);
  return run('sh', ['-c', `cd "$1" && ${command}`, 'sh', folder], { PATH });
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
