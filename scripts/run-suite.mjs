import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { JEST_OPTIONS, ROOT, runVisibly } from './step.mjs';

/**
 * Runs the command that follows with a separate network, mounts and processes, which disappear when the command exits. It needs root. The shell is
 * process 1, because process 1 must wait for orphaned processes, and jest does not.
 */
const ALONE = [
  'unshare',
  '--net',
  '--mount',
  '--pid',
  '--fork',
  '--mount-proc',
  '--kill-child',
  'sh',
  '-c',
  '"$@"; exit $?',
  'sh',
];

/**
 * A larger space for new objects saves a twentieth of the processor time. As an option of the command it also holds for the workers of jest, but not
 * for the programs that tests start.
 */
const JEST = ['--max-semi-space-size=32', 'node_modules/jest/bin/jest.js'];

/**
 * Runs one jest configuration with its output on this terminal, or only `files` of it. Returns how many tests passed, failed and were skipped, and
 * the names of the skipped tests. With `isAlone`, jest has a network, mounts and processes of its own.
 */
export async function runSuite({ config, env, files = [], isAlone = false }, index) {
  const file = join(ROOT, `.cache/results/${index}.json`);
  mkdirSync(join(ROOT, '.cache/results'), { recursive: true });
  rmSync(file, { force: true });
  const only = files.length > 0 ? ['--runTestsByPath', ...files] : [];
  const args = ['-c', config, '--json', `--outputFile=${file}`, ...only];
  const [command, ...rest] = [...(isAlone ? ALONE : []), 'node', ...JEST, ...args];
  const code = await runVisibly(command, rest, { NODE_OPTIONS: JEST_OPTIONS, ...env });
  return summary(read(file), code);
}

function summary(result, code) {
  const failed = result.numFailedTests + result.numRuntimeErrorTestSuites;
  return {
    passed: result.numPassedTests,
    // jest can also fail outside of tests, in its set-up or teardown.
    failed: failed === 0 && code !== 0 ? 1 : failed,
    skipped: result.numPendingTests + result.numTodoTests,
    skippedNames: result.testResults
      .flatMap(({ assertionResults }) => assertionResults)
      .filter(({ status }) => status === 'pending' || status === 'todo')
      .map(({ fullName }) => fullName),
  };
}

function read(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    const none = { numPassedTests: 0, numPendingTests: 0, numTodoTests: 0, testResults: [] };
    return { ...none, numFailedTests: 1, numRuntimeErrorTestSuites: 0 };
  }
}
