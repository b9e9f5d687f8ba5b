// Runs the main flows on docker-compose.yml, and tests of its several containers per service and its networks.
import deploy from '../jest.config.js';

const FLOWS = ['actions', 'connections', 'first-call', 'mcp-calls', 'triggers', 'workspaces'];

export default {
  ...deploy,
  rootDir: '../..',
  testMatch: [
    '<rootDir>/deploy/compose/*.test.ts',
    '<rootDir>/deploy/shared/*.test.ts',
    ...FLOWS.map((name) => `<rootDir>/${name}.test.ts`),
  ],
  globalSetup: '<rootDir>/deploy/compose/global-setup.js',
  globalTeardown: '<rootDir>/support/global-teardown.js',
};
