// Runs the main flows while the previous version and this one run side by side on one database and one set of topics.
import deploy from '../jest.config.js';

// Other flows require that a change applies to the next request. In this test the next request may reach the other process of a service, which may
// cache the old value for up to a second.
const FLOWS = [
  'approvals',
  'approvals-decisions',
  'approvals-list',
  'approvals-retries',
  'connections',
  'first-call',
  'workspaces',
];

export default {
  ...deploy,
  rootDir: '../..',
  testMatch: ['<rootDir>/deploy/upgrade/*.test.ts', ...FLOWS.map((name) => `<rootDir>/${name}.test.ts`)],
  globalSetup: '<rootDir>/deploy/upgrade/global-setup.js',
  globalTeardown: '<rootDir>/support/global-teardown.js',
};
