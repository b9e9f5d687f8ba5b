// Runs the main flows on a cluster with the overlay `one-node`, and a test that needs a cluster: pods are replaced while requests arrive.
import compose from '../compose/jest.config.js';

export default {
  ...compose,
  testMatch: compose.testMatch.map((path) => path.replace('/compose/', '/cluster/')),
  globalSetup: '<rootDir>/deploy/cluster/global-setup.js',
};
