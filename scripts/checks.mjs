// What `pnpm check` and `npm test` hold the sources to, beside the tests. A check is a name and work that succeeds.
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { contentHash } from './fingerprint.mjs';
import { JEST_OPTIONS, ROOT, run, seconds } from './step.mjs';

/** Written by the build and checked in. */
const GENERATED = ['services/gateway/openapi.json'];
const PARALLEL = 2;

const bin = (name, folder = '.') => join(ROOT, folder, 'node_modules/.bin', name);
const buf = (...args) => run(bin('buf', 'packages/proto'), args);

/** Taken before a build: what is checked in. The check `generated` asks whether the build then wrote the same. */
export const checkedIn = () => contentHash(GENERATED);

export const build = { name: 'build', work: () => run(bin('turbo'), ['run', 'build', '--output-logs=errors-only']) };
export const unit = {
  name: 'unit',
  work: () => run(bin('jest'), ['--reporters=summary'], { NODE_OPTIONS: JEST_OPTIONS }),
};

/** `before` comes from checkedIn(). Everything must be built. */
export function checks(before) {
  return [
    { name: 'lint', work: () => run(bin('eslint'), ['--max-warnings', '0', '.']) },
    { name: 'format', work: () => run(bin('prettier'), ['--check', '--log-level', 'warn', '.']) },
    { name: 'types', work: () => run(bin('tsc', 'e2e'), ['-p', 'tsconfig.tests.json']) },
    { name: 'proto', work: checkProto },
    { name: 'compose', work: () => run(process.execPath, ['scripts/check-compose.mjs']) },
    { name: 'docs', work: checkDocs },
    { name: 'generated', work: async () => requireSame(before) },
  ];
}

/** Runs them two at a time, a line of result each. Answers how many passed and failed. */
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
    await work();
    console.log(`✓ ${name.padEnd(10)} ${seconds(start)}`);
    return true;
  } catch (error) {
    console.log(`✗ ${name.padEnd(10)} ${seconds(start)}\n${error.message}`);
    return false;
  }
}

async function checkDocs() {
  await run(process.execPath, ['scripts/check-operating.mjs']);
  await run(process.execPath, ['scripts/check-excerpts.mjs']);
}

async function checkProto() {
  await buf('lint');
  const baseline = protoBaseline();
  if (baseline) await buf('breaking', '--against', `.git#ref=${baseline}`);
}

/**
 * What callers may rely on already: the newest release, or before the first one the branch main as seen from another branch.
 * On main itself, or without git, nothing has been promised that could be broken.
 */
function protoBaseline() {
  if (!existsSync(join(ROOT, '.git'))) return undefined;
  const release = git('describe', '--tags', '--abbrev=0', '--match', 'v*');
  if (release) return release;
  const main = git('rev-parse', '--verify', 'origin/main') ?? git('rev-parse', '--verify', 'main');
  return git('rev-parse', '--abbrev-ref', 'HEAD') === 'main' ? undefined : main;
}

function git(...args) {
  try {
    return execFileSync('git', args, { cwd: ROOT, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim();
  } catch {
    return undefined;
  }
}

function requireSame(before) {
  if (checkedIn() !== before) throw new Error(`The build changed ${GENERATED.join(', ')}: look at it and commit it.`);
}
