// Tests of one package with a real database, broker or file system.
import unit from './jest.config.js';

export default {
  ...unit,
  testMatch: ['**/*.integration.test.ts'],
  testPathIgnorePatterns: ['/node_modules/', '/dist/', '/gen/'],
  globalSetup: '<rootDir>/scripts/integration-database.mjs',
  globalTeardown: '<rootDir>/scripts/stop-integration-database.mjs',
  testTimeout: 120_000,
  maxWorkers: 3, // for two processors: the tests often wait for a server to start
};
