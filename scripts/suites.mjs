// The test suites, as data. A suite that `needs` something which is neither there nor fetched is skipped by name, or fails
// when REQUIRE asks for it; one that `uses` it runs without, and tells by its own skipped tests what was left out.
// What a single test needs, such as a redis-server or moto, it looks for itself, by the same rules.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { findBrowser } from './find-browser.mjs';
import { ROOT } from './step.mjs';

const E2E = 'e2e/jest.config.js';

export const SUITES = [
  { name: 'unit', config: 'jest.config.js' },
  { name: 'integration', config: 'jest.integration.config.js', uses: 'kafka' },
  { name: 'e2e, all in one', config: E2E, env: { SHAPE: 'local' } },
  { name: 'e2e, all in one on Kafka', config: E2E, env: { SHAPE: 'kafka' }, needs: 'kafka' },
  { name: 'e2e, one process a service', config: E2E, env: { SHAPE: 'processes' }, needs: 'kafka' },
  { name: 'pages in a browser', config: E2E, env: { SHAPE: 'local', ALONE: 'pages' }, needs: 'browser' },
  { name: 'neighbours, all in one', config: E2E, env: { SHAPE: 'local', ALONE: 'neighbours' } },
];

/** How to find out whether a need can be met, and what to tell who wants to meet it. */
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
};

function runs(command, flag) {
  return spawnSync(command, [flag], { stdio: 'ignore' }).status === 0;
}
