// The main flows on a cluster with the overlay `one-node`, and what only that has: pods that are replaced while requests arrive.
import compose from '../compose/jest.config.js';

export default {
  ...compose,
  testMatch: compose.testMatch.map((path) => path.replace('/compose/', '/cluster/')),
  globalSetup: '<rootDir>/deploy/cluster/global-setup.js',
};
