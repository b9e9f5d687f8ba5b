// The checks that `pnpm check` and `npm test` run in addition to the tests. A check has a name and a function that rejects if the check fails.
import { join } from 'node:path';
import { build } from './build.mjs';
import { contentHash } from './fingerprint.mjs';
import { JEST_OPTIONS, ROOT, run, seconds } from './step.mjs';

/** Committed files that the build writes. */
const GENERATED = [
  'services/gateway/openapi.json',
  'docs/permissions.md',
  'docs/errors.md',
  'packages/sdk-typescript/OPERATIONS.md',
  'packages/sdk-typescript/generate/surface.txt',
];
const PARALLEL = 2;

/** Prettier skips files that it has already checked. ESLint cannot, because some of its rules depend on other files. */
const KEPT = ['--cache', '--cache-strategy', 'content', '--cache-location', join(ROOT, '.cache/prettier')];

const bin = (name, folder = '.') => join(ROOT, folder, 'node_modules/.bin', name);

/** Returns a hash of the generated files. Call it before the build: the check `generated` fails if the build changes them. */
export const checkedIn = () => contentHash(GENERATED);

export const buildAll = { name: 'build', work: build };
export const unit = {
  name: 'unit',
  work: () => run(bin('jest'), ['--reporters=summary'], { NODE_OPTIONS: JEST_OPTIONS }),
};

/** Returns all checks. `before` is the result of checkedIn(). Everything must be built first. `npm test` omits a check with `isFull`. */
export function checks(before) {
  return [
    { name: 'lint', work: () => run(bin('eslint'), ['--max-warnings', '0', '.']), isFull: true },
    {
      name: 'format',
      work: () => run(bin('prettier'), ['--check', '--log-level', 'warn', ...KEPT, '.']),
      isFull: true,
    },
    { name: 'types', work: () => run(bin('tsc', 'e2e'), ['-p', 'tsconfig.tests.json']), isFull: true },
    { name: 'cycles', work: () => script('check-cycles.mjs') },
    { name: 'proto', work: () => script('check-protos.mjs') },
    { name: 'openapi', work: () => script('check-openapi.mjs') },
    { name: 'api lint', work: () => run(process.execPath, ['scripts/lint-openapi.mjs']), isFull: true },
    { name: 'compose', work: () => run(process.execPath, ['scripts/check-compose.mjs']) },
    { name: 'docs', work: checkDocs },
    { name: 'language', work: () => script('check-language.mjs') },
    { name: 'generated', work: async () => requireSame(before) },
  ];
}

/** Runs the checks, two at a time, and prints one line for each. Returns the number of passed and failed checks. */
export async function runChecks(list) {
  const waiting = [...list];
  const result = { passed: 0, failed: 0 };
  const worker = async () => {
    for (let check = waiting.shift(); check; check = waiting.shift()) {
      result[(await succeeds(check)) ? 'passed' : 'failed']++;
    }
  };
  await Promise.all(Array.from({ length: PARALLEL }, worker));
  return result;
}

async function succeeds({ name, work }) {
  const start = Date.now();
  try {
    const { said = '' } = (await work()) ?? {};
    console.log(`✓ ${name.padEnd(10)} ${seconds(start)}  ${said.trim()}`.trimEnd());
    return true;
  } catch (error) {
    console.log(`✗ ${name.padEnd(10)} ${seconds(start)}\n${error.message}`);
    return false;
  }
}

async function checkDocs() {
  await run(process.execPath, ['scripts/check-operating.mjs']);
  await run(process.execPath, ['scripts/check-excerpts.mjs']);
  await run(process.execPath, ['scripts/pieces.mjs', '--check']);
}

/** Runs a script of this folder. Returns its output, which runChecks prints on the line of the check. */
async function script(name) {
  return { said: await run(process.execPath, [`scripts/${name}`]) };
}

function requireSame(before) {
  if (checkedIn() !== before)
    throw new Error(`The build changed ${GENERATED.join(', ')}: review the changes and commit them.`);
}
