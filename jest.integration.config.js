// Tests of one package against its real database, broker or file system.
import unit from './jest.config.js';

export default {
  ...unit,
  testMatch: ['**/*.integration.test.ts'],
  testPathIgnorePatterns: ['/node_modules/', '/dist/', '/gen/'],
  testTimeout: 120_000,
};
