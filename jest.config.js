// Unit tests: each tests the rules of the file beside it. Tests that need a database or a broker are named *.integration.test.ts; tests through the
// public interface are in e2e/. Of e2e/ only the boundaries between packages are checked here.
/**
 * Costs over sizes, comparisons of many random inputs, and the tests of each piece beside those that hold for all pieces: with FULL=0 they are left
 * out, as in `npm test`.
 */
const SLOW = [
  'cost\\.test\\.ts$',
  '/packages/pieces/src/[^/]+/',
  '/code-mode/src/soundness\\.',
  '/code-runs/stored-run\\.', // waits 15 s for the end of a lease
  '/policies/evaluate-random\\.',
];

export default {
  testEnvironment: 'node',
  testTimeout: 30_000,
  maxWorkers: 4, // for two processors: some tests wait for timers
  workerIdleMemoryLimit: '700MB', // a worker keeps the modules of finished files in memory, so it is replaced above this size
  roots: ['<rootDir>/packages', '<rootDir>/services', '<rootDir>/scripts', '<rootDir>/e2e'],
  testMatch: [
    '<rootDir>/{packages,services}/**/*.test.ts',
    '<rootDir>/{scripts,packages/proto}/*.test.mjs',
    '<rootDir>/e2e/boundaries.test.ts',
  ],
  testPathIgnorePatterns: [
    ...['/node_modules/', '/dist/', '/gen/', '\\.integration\\.test\\.ts$'],
    ...(process.env.FULL === '0' ? SLOW : []),
  ],
  setupFiles: ['<rootDir>/scripts/disable-async-storages.mjs'],
  extensionsToTreatAsEsm: ['.ts', '.tsx'],
  moduleNameMapper: { '^(\\.{1,2}/.*)\\.js$': '$1' },
  transform: { '^.+\\.ts$': compiled({ decorators: true }), '^.+\\.tsx$': compiled({ tsx: true }) },
};

function compiled(parser) {
  const transform = { legacyDecorator: true, react: { runtime: 'automatic', importSource: 'preact' } };
  return [
    '@swc/jest',
    {
      jsc: { parser: { syntax: 'typescript', ...parser }, transform, target: 'es2022' },
      module: { type: 'es6' },
    },
  ];
}
