// The contract, black box, in the shape that SHAPE names: local (default), kafka or processes. FULL=0 leaves out what only
// `npm run test:full` runs.
import unit from '../jest.config.js';
import { filesOfShape } from './support/files-of-shape.js';

const { SHAPE: shape = 'local', ALONE: alone, FULL } = process.env;

export default {
  testEnvironment: 'node',
  testMatch: filesOfShape(shape, { alone, isFull: FULL !== '0' }).map((name) => `<rootDir>/${name}`),
  extensionsToTreatAsEsm: unit.extensionsToTreatAsEsm,
  moduleNameMapper: unit.moduleNameMapper,
  transform: unit.transform,
  globalSetup: '<rootDir>/support/global-setup.js',
  globalTeardown: '<rootDir>/support/global-teardown.js',
  testSequencer: '<rootDir>/support/file-order.js',
  testTimeout: 300_000, // a file may wait for its turn at the one provider for minutes, on a slow machine
  // On two processors: a test that waits for a timer leaves one of them alone. Services apart are ten processes a product.
  maxWorkers: shape === 'processes' || alone ? 3 : 4,
};
