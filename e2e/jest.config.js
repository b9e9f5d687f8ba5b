// Black-box tests of the contract. SHAPE selects the layout of processes: `local` (default) is one process, `kafka` is one process with Kafka, and
// `processes` is one process for each service. FULL=0 omits the tests that only `npm run test:full` runs.
import unit from '../jest.config.js';
import { filesOfShape } from './support/files-of-shape.js';

const { SHAPE: shape = 'local', ALONE: alone, FULL } = process.env;

export default {
  testEnvironment: 'node',
  testMatch: filesOfShape(shape, { alone, isFull: FULL !== '0' }).map((name) => `<rootDir>/${name}`),
  setupFiles: ['<rootDir>/../scripts/disable-async-storages.mjs'],
  extensionsToTreatAsEsm: unit.extensionsToTreatAsEsm,
  moduleNameMapper: unit.moduleNameMapper,
  transform: unit.transform,
  globalSetup: '<rootDir>/support/global-setup.js',
  globalTeardown: '<rootDir>/support/global-teardown.js',
  testSequencer: '<rootDir>/support/file-order.js',
  testTimeout: 300_000, // on a slow machine a file can wait for minutes for the lock of the shared provider
  // More workers than the two processors, because tests often wait for timers. With separate services each product has ten processes.
  maxWorkers: shape === 'processes' || alone ? 3 : 4,
  workerIdleMemoryLimit: '700MB', // the reason is in the jest.config.js of the unit tests
};
