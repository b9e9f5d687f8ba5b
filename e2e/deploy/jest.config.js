// Tests that package the product and run the packages as an operator would. `npm run test:deploy` runs them.
import unit from '../../jest.config.js';

export default {
  testEnvironment: 'node',
  testMatch: ['<rootDir>/*.test.ts'],
  extensionsToTreatAsEsm: unit.extensionsToTreatAsEsm,
  moduleNameMapper: unit.moduleNameMapper,
  transform: unit.transform,
  testTimeout: 300_000, // the first run downloads and builds images
  maxWorkers: 1,
};
