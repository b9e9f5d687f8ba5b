// Tests of one package with a real database, broker or file system.
import unit from './jest.config.js';

// Containers, escapes and bombs of the sandbox, random programs, kills in a loop, costs of large texts, servers that crash again and again, and
// starts and commands of the program take minutes. With FULL=0 they are left out, as in `npm test`.
const SLOW = [
  '/packages/containers/',
  '/packages/sandbox/src/(bombs|escapes|snapshot)\\.',
  '/packages/cli/src/(admin|cli|doctor/doctor|master-keys|restore|telemetry)\\.',
  '/packages/events/src/kafka-bus\\.',
  '/packages/postgres/src/start-postgres\\.',
  '/run-log/previewer\\.',
  '/redaction/redact-off-thread\\.',
  '/packages/jobs/src/(leases|listen)\\.',
  '/callbacks/race\\.',
  '/code-runs/(continue-code|resume-run|stored-run)\\.',
];

export default {
  ...unit,
  testMatch: ['**/*.integration.test.ts'],
  testPathIgnorePatterns: ['/node_modules/', '/dist/', '/gen/', ...(process.env.FULL === '0' ? SLOW : [])],
  globalSetup: '<rootDir>/scripts/integration-database.mjs',
  globalTeardown: '<rootDir>/scripts/stop-integration-database.mjs',
  testTimeout: 120_000,
  maxWorkers: 5, // for two processors: the tests often wait for a server to start
};
