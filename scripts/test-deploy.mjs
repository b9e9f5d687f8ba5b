// `npm run test:deploy`: packages the product, runs each package as an operator would, and calls it. The parts are in deploy-parts.mjs.
// `npm run test:deploy -- NAME` runs one part; `-- --all` runs every part, even if nothing changed since it passed.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PARTS } from './deploy-parts.mjs';
import { prepare } from './prepare.mjs';
import { runSuite } from './run-suite.mjs';
import { ROOT, seconds } from './step.mjs';
import { NEEDS } from './suites.mjs';

const STAMPS = join(ROOT, '.cache/deploy');
const CONFIG = 'e2e/deploy/jest.config.js';

/**
 * Runs the parts, or only those named. A part with the same inputs as when it last passed is named and not run, except with `isForced`.
 * Returns how many tests passed, failed and were skipped, and notes for the end of the output.
 */
export async function testDeploy({ names = [], isForced = false } = {}) {
  const total = { passed: 0, failed: 0, skipped: 0, notes: [] };
  for (const part of PARTS.filter(({ name }) => names.length === 0 || names.includes(name))) {
    const result = await runPart(part, isForced);
    for (const key of ['passed', 'failed', 'skipped']) total[key] += result[key] ?? 0;
    total.notes.push(...(result.notes ?? []));
  }
  return total;
}

async function runPart({ name, needs, file, inputs }, isForced) {
  const missing = needs.find((need) => !NEEDS[need].isMet());
  if (missing) return withoutNeed(name, missing);
  const stamp = join(STAMPS, name);
  const wanted = hashOf(inputs);
  if (!isForced && existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted)
    return { notes: [`not run: deploy, ${name} (its files are those with which it last passed)`] };

  console.log(`\n── deploy, ${name} ──`);
  const start = Date.now();
  const suite = file.endsWith('.config.js') ? { config: file } : { config: CONFIG, files: [file] };
  const { skippedNames, ...result } = await runSuite(suite, `deploy-${name}`);
  console.log(
    `── deploy, ${name}: ${result.passed} passed, ${result.failed} failed, ${result.skipped} skipped, ${seconds(start)}`,
  );
  if (result.failed === 0 && result.skipped === 0) {
    mkdirSync(STAMPS, { recursive: true });
    writeFileSync(stamp, wanted);
  }
  return { ...result, notes: skippedNames.map((test) => `skipped in deploy, ${name}: ${test}`) };
}

function withoutNeed(name, need) {
  const isFailure = (process.env.REQUIRE ?? '').split(',').includes(need);
  const notes = [
    `${isFailure ? 'FAILED' : 'skipped'}: deploy, ${name} needs ${need}. To run it: ${NEEDS[need].enable}`,
  ];
  return { [isFailure ? 'failed' : 'skipped']: 1, notes };
}

/** Returns a hash of the contents of these files and folders, without what Git ignores. */
function hashOf(inputs) {
  const listed = spawnSync('git', ['ls-files', '-coz', '--exclude-standard', '--', ...inputs], { cwd: ROOT });
  const files = listed.stdout.toString().split('\0').filter(Boolean).sort();
  const hash = createHash('sha256').update(process.version);
  for (const file of files) if (existsSync(join(ROOT, file))) hash.update(file).update(readFileSync(join(ROOT, file)));
  return hash.digest('hex');
}

if (process.argv[1] === import.meta.filename) {
  await prepare();
  const names = process.argv.slice(2).filter((argument) => !argument.startsWith('--'));
  const unknown = names.find((name) => !PARTS.some((part) => part.name === name));
  if (unknown) throw new Error(`No part is named ${unknown}. There are ${PARTS.map(({ name }) => name).join(', ')}`);
  const { passed, failed, skipped, notes } = await testDeploy({ names, isForced: process.argv.includes('--all') });
  for (const note of notes) console.log(note);
  console.log(`${passed} passed, ${failed} failed, ${skipped} skipped`);
  process.exitCode = failed > 0 ? 1 : 0;
}
