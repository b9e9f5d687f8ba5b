// Unit tests: the rules that stand beside their file. What needs a database or a broker is *.integration.test.ts, what
// goes through the front door is in e2e/; of that folder only the boundaries between packages are checked here.
export default {
  testEnvironment: 'node',
  testTimeout: 30_000,
  maxWorkers: 2, // by itself jest leaves one processor alone, and of two that is half
  roots: ['<rootDir>/packages', '<rootDir>/services', '<rootDir>/scripts', '<rootDir>/e2e'],
  testMatch: [
    '<rootDir>/{packages,services}/**/*.test.ts',
    '<rootDir>/{scripts,packages/proto}/*.test.mjs',
    '<rootDir>/e2e/boundaries.test.ts',
  ],
  testPathIgnorePatterns: ['/node_modules/', '/dist/', '/gen/', '\\.integration\\.test\\.ts$'],
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
