// The main flows while the previous version and this one run side by side on one database and one set of topics.
import deploy from '../jest.config.js';

// In other flows a change must apply to the next request. Here the next request may reach a process that still has the old value in its cache, for up
// to a second.
const FLOWS = ['approvals', 'connections', 'first-call', 'workspaces'];

export default {
  ...deploy,
  rootDir: '../..',
  testMatch: ['<rootDir>/deploy/upgrade/*.test.ts', ...FLOWS.map((name) => `<rootDir>/${name}.test.ts`)],
  globalSetup: '<rootDir>/deploy/upgrade/global-setup.js',
  globalTeardown: '<rootDir>/support/global-teardown.js',
};
