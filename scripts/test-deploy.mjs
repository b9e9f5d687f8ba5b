// `npm run test:deploy`: packages the product, runs each package as an operator would, and calls it. The parts are in deploy-parts.mjs.
// `npm run test:deploy -- NAME` runs one part; `-- --all` runs every part, even if nothing changed since it passed.
//   --keep      writes the hashes of the files with which the parts passed to deploy-passed.json: commit it, and CI does not run these parts again
//   --due NAME  exits with 0 if the part would run
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { PARTS } from './deploy-parts.mjs';
import { prepare } from './prepare.mjs';
import { runSuite } from './run-suite.mjs';
import { ROOT, run, seconds } from './step.mjs';
import { NEEDS } from './suites.mjs';

/** Two files with a hash of the inputs with which each part last passed: the results of this clone, and the committed results. */
const STAMPS = join(ROOT, '.cache/deploy/passed.json');
const COMMITTED = join(ROOT, 'scripts/deploy-passed.json');
const CONFIG = 'e2e/deploy/jest.config.js';

/**
 * Runs the parts, or only the named parts. A part that already passed with the same inputs is only mentioned in the output, except with `isForced`.
 * Returns how many tests passed, failed and were skipped, and notes for the end of the output.
 */
export async function testDeploy({ names = [], isForced = false } = {}) {
  const total = { passed: 0, failed: 0, skipped: 0, notes: [] };
  for (const part of PARTS.filter(({ name }) => names.length === 0 || names.includes(name))) {
    if (part.isOnRequest && !names.includes(part.name) && !isForced) {
      total.notes.push(`not run: deploy, ${part.name}. To run it: npm run test:deploy -- ${part.name}`);
      continue;
    }
    const result = await runPart(part, isForced);
    for (const key of ['passed', 'failed', 'skipped']) total[key] += result[key] ?? 0;
    total.notes.push(...(result.notes ?? []));
  }
  return total;
}

async function runPart(part, isForced) {
  const { name, needs, file, before = [], isAlone = false } = part;
  const files = hashOf(part);
  if (!isForced && hasPassed(name, files))
    return { notes: [`not run: deploy, ${name} (its files are those with which it last passed)`] };
  const missing = needs.find((need) => !NEEDS[need].isMet());
  if (missing) return withoutNeed(name, missing);

  console.log(`\n── deploy, ${name} ──`);
  const start = Date.now();
  try {
    for (const program of before) await run(process.execPath, [program]);
  } catch (error) {
    return { failed: 1, notes: [`FAILED: deploy, ${name}: ${error.message}`] };
  }
  const suite = isConfig(file) ? { config: file, isAlone } : { config: CONFIG, files: [file] };
  const { skippedNames, ...result } = await runSuite(suite, `deploy-${name}`);
  console.log(
    `── deploy, ${name}: ${result.passed} passed, ${result.failed} failed, ${result.skipped} skipped, ${seconds(start)}`,
  );
  if (result.failed === 0 && result.skipped === 0) {
    mkdirSync(dirname(STAMPS), { recursive: true });
    writeFileSync(STAMPS, JSON.stringify({ ...read(STAMPS), [name]: files }, null, 2));
  }
  return { ...result, notes: skippedNames.map((test) => `skipped in deploy, ${name}: ${test}`) };
}

const hasPassed = (name, files) => [STAMPS, COMMITTED].some((stamps) => read(stamps)[name] === files);

const read = (stamps) => (existsSync(stamps) ? JSON.parse(readFileSync(stamps, 'utf8')) : {});

function withoutNeed(name, need) {
  const isFailure = (process.env.REQUIRE ?? '').split(',').includes(need);
  const notes = [
    `${isFailure ? 'FAILED' : 'skipped'}: deploy, ${name} needs ${need}. To run it: ${NEEDS[need].enable}`,
  ];
  return { [isFailure ? 'failed' : 'skipped']: 1, notes };
}

/** Returns whether the tests of a part have a configuration of jest, and so a folder, of their own. */
const isConfig = (file) => file.endsWith('.config.js');

/** Returns a hash of the contents of the inputs of a part and of its tests. */
function hashOf({ inputs, file }) {
  const hash = createHash('sha256');
  const tests = isConfig(file) ? dirname(file) : file;
  for (const name of filesOf([...inputs, tests])) hash.update(name).update(readFileSync(join(ROOT, name)));
  return hash.digest('hex');
}

/** Returns the files of these files and folders, sorted, without those that Git ignores. */
export function filesOf(inputs) {
  // Git matches a pattern with the whole path, so a folder with a wildcard would match no file.
  const patterns = inputs.map((input) => (input.includes('*') ? `${input}/*` : input));
  const listed = spawnSync('git', ['ls-files', '-coz', '--exclude-standard', '--', ...patterns], { cwd: ROOT });
  const files = listed.stdout.toString().split('\0').filter(Boolean);
  return files.sort().filter((file) => existsSync(join(ROOT, file)));
}

if (process.argv[1] === import.meta.filename) {
  const { values, positionals: names } = parseArgs({
    allowPositionals: true,
    options: { all: { type: 'boolean' }, keep: { type: 'boolean' }, due: { type: 'string' } },
  });
  if (values.due) {
    const part = PARTS.find(({ name }) => name === values.due);
    process.exit(hasPassed(values.due, hashOf(part)) ? 1 : 0);
  }
  const unknown = names.find((name) => !PARTS.some((part) => part.name === name));
  if (unknown) throw new Error(`No part is named ${unknown}. There are ${PARTS.map(({ name }) => name).join(', ')}`);
  await prepare();
  const { passed, failed, skipped, notes } = await testDeploy({ names, isForced: values.all });
  if (values.keep) writeFileSync(COMMITTED, `${JSON.stringify({ ...read(COMMITTED), ...read(STAMPS) }, null, 2)}\n`);
  for (const note of notes) console.log(note);
  console.log(`${passed} passed, ${failed} failed, ${skipped} skipped`);
  process.exitCode = failed > 0 ? 1 : 0;
}
