// The test suites. If a requirement is not installed, a suite that `needs` it is skipped, or fails if REQUIRE lists the requirement, and a suite that
// `uses` it skips only single tests. A single test that needs redis-server, moto or a Docker engine is also skipped, or fails if REQUIRE lists it.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { basename, join } from 'node:path';
import { findBrowser } from './find-browser.mjs';
import { NODE_PROGRAM } from './prepare-cluster.mjs';
import { composeCommand } from './prepare-compose.mjs';
import { previousCommit } from './prepare-previous.mjs';
import { JEST_OPTIONS, ROOT, run } from './step.mjs';

const E2E = 'e2e/jest.config.js';

/**
 * A suite with `isFull` runs only in `npm run test:full`. `node` is the version of Node.js on which `npm run test:full` runs the suite: the largest
 * suites use version 24, which needs the least processor time. All other suites run on the installed version. The first line of each e2e file lists the
 * values of SHAPE (the layout of processes) with which the file runs.
 */
const SUITES = [
  { name: 'unit', config: 'jest.config.js' },
  { name: 'integration', config: 'jest.integration.config.js', uses: 'kafka' },
  { name: 'e2e, all in one', config: E2E, env: { SHAPE: 'local' }, node: 24 },
  { name: 'e2e, all in one on Kafka', config: E2E, env: { SHAPE: 'kafka' }, needs: 'kafka', isFull: true, node: 22 },
  { name: 'e2e, one process a service', config: E2E, env: { SHAPE: 'processes' }, needs: 'kafka', node: 24 },
  { name: 'programs in containers', config: E2E, env: { SHAPE: 'local', ALONE: 'advanced-code' }, isFull: true },
  { name: 'pages in a browser', config: E2E, env: { SHAPE: 'local', ALONE: 'pages' }, needs: 'browser' },
  { name: 'neighbours, all in one', config: E2E, env: { SHAPE: 'local', ALONE: 'neighbours' }, isFull: true, node: 24 },
  {
    name: 'endurance, one process a service',
    config: E2E,
    env: { SHAPE: 'processes', ALONE: 'endurance', ENDURANCE_SECONDS: '120' },
    needs: 'kafka',
    isFull: true,
    node: 24,
  },
];

/**
 * Returns the suites of `npm test` or `npm run test:full`. With names of test files, returns the suites that contain them, reduced to these files.
 */
export async function chooseSuites({ isFull, names }) {
  if (names.length > 0) return (await suitesWith(names)).map(onInstalledNode);
  if (isFull) return SUITES;
  return SUITES.filter((suite) => !suite.isFull)
    .map(onInstalledNode)
    .map(withoutFullTests);
}

const onInstalledNode = ({ node: _node, ...suite }) => suite;

const withoutFullTests = (suite) => ({ ...suite, env: { ...suite.env, FULL: '0' } });

/** Throws if no test file has one of the names. */
async function suitesWith(names) {
  const found = [];
  for (const suite of SUITES) {
    const files = filesNamed(await filesOf(suite), names);
    if (files.length > 0) found.push({ ...suite, files });
  }
  if (found.length === 0) throw new Error(`No test file is named ${names.join(' or ')}. The names are those of e2e/.`);
  return found;
}

async function filesOf({ config, env }) {
  const options = { NODE_OPTIONS: JEST_OPTIONS, ...env };
  const listed = await run('node_modules/.bin/jest', ['-c', config, '--listTests', '--json'], options);
  return JSON.parse(listed.slice(listed.indexOf('[')));
}

/** Returns the files with exactly one of these names, such as `api-keys`. If there is none, returns the files with a name in their path. */
export function filesNamed(files, names) {
  const exact = files.filter((file) => names.includes(basename(file).replace(/(\.integration)?\.test\.\w+$/, '')));
  if (exact.length > 0) return exact;
  return files.filter((file) => names.some((name) => file.replace(ROOT, '').includes(name)));
}

/** Debian's path of a plugin that connects pods. */
export const NETWORK_PLUGIN = '/usr/lib/cni/ptp';
const ENGINE = ['dockerd', 'docker', 'debootstrap'];

/** Checks whether a requirement is installed, and names the command that installs it. */
export const NEEDS = {
  kafka: {
    isMet: () =>
      runs('java', '-version') && (runs('mvn', '-version') || existsSync(join(ROOT, '.cache/kafka/fetched'))),
    enable: 'apt-get install openjdk-17-jre-headless maven && npm test',
  },
  browser: {
    isMet: () => findBrowser() !== undefined,
    enable: 'apt-get install chromium-headless-shell && npm test, or CHROMIUM=/path/to/chromium npm test',
  },
  go: {
    isMet: () => runs('go', 'version') && runs('python3', '--version'),
    enable: 'install Go 1.24 and Python, then npm run test:deploy -- kubernetes',
  },
  docker: {
    isMet: () => !process.env.NO_DOCKER && process.getuid?.() === 0 && ENGINE.every((name) => runs(name, '--version')),
    enable: 'apt-get install docker.io iptables debootstrap && npm run test:deploy, as root',
  },
  nginx: {
    isMet: () => runs('nginx', '-v') && runs('openssl', 'version'),
    enable: 'apt-get install nginx-light openssl && npm run test:deploy -- production',
  },
  previous: {
    isMet: () => previousCommit() !== undefined,
    enable: 'git fetch --unshallow --tags && npm run test:deploy -- upgrade',
  },
  kubernetes: {
    isMet: () =>
      (runs('go', 'version') || existsSync(NODE_PROGRAM)) &&
      runs('containerd', '--version') &&
      existsSync(NETWORK_PLUGIN),
    enable:
      'apt-get install containernetworking-plugins conntrack, install Go 1.23, then npm run test:deploy -- cluster',
  },
  compose: {
    isMet: () => composeCommand() !== undefined,
    enable: 'apt-get install docker-compose-v2, or with Go: node scripts/prepare-compose.mjs && npm run test:deploy',
  },
};

function runs(command, flag) {
  return spawnSync(command, [flag], { stdio: 'ignore' }).status === 0;
}
