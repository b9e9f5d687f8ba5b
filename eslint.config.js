import { defineConfig } from 'eslint/config';
import tseslint from 'typescript-eslint';

/** All outgoing traffic uses packages/egress; all incoming traffic uses the gateway or packages/rpc. Only packages/mail sends mail. */
const MAIL = 'nodemailer';
const NETWORK = ['undici', MAIL, ...['http', 'https', 'http2', 'net', 'tls'].flatMap((name) => [name, `node:${name}`])];
const FETCH = { name: 'fetch', message: 'Send through packages/egress.' };

const restrictedImports = (modules) => [
  'error',
  {
    paths: modules.map((name) => ({ name, message: 'Send through packages/egress.', allowTypeImports: true })),
    patterns: [
      { group: ['@drawbridge/*/src', '@drawbridge/*/src/**', '@drawbridge/*/dist/**'], message: 'Import its entry.' },
      { regex: '^(\\.\\./)+(.*/)?(src|dist)/', message: 'Import the package by its name.' },
      { regex: '^(\\.\\./)+(packages|services)/', message: 'Import the package by its name.' },
    ],
  },
];

const NO_ENUM = { selector: 'TSEnumDeclaration', message: 'Use a union of strings.' };
const NO_DEFAULT_EXPORT = ['ExportDefaultDeclaration', 'ExportSpecifier[exported.name="default"]'].map((selector) => ({
  selector,
  message: 'Export it by its name.',
}));

const LIMITS = ['minLength', 'maxLength', 'pattern', 'minimum', 'maximum', 'default'].map((tag) => `@${tag}`);

const TESTS = ['**/*.test.ts', '**/testing/**', '**/fixtures/**', 'packages/testkit/**', 'e2e/**', 'bench/**'];

export default defineConfig(
  { ignores: ['**/node_modules/', '**/dist/', '**/gen/', '.cache/', '.data/'] },
  {
    files: ['**/*.ts', '**/*.tsx', '**/*.mjs', '**/*.js'],
    rules: {
      'max-lines': ['error', { max: 200 }],
      'max-lines-per-function': ['error', { max: 40, skipBlankLines: true, skipComments: true }],
      'max-depth': ['error', 3],
      // Functions have at most three parameters. The limit is four, because Express recognizes error handlers by their four parameters.
      'max-params': ['error', 4],
      'no-restricted-syntax': ['error', NO_ENUM, ...NO_DEFAULT_EXPORT],
      'prefer-const': 'error',
      eqeqeq: 'error',
    },
  },
  {
    files: ['**/*.ts', '**/*.tsx'],
    extends: [tseslint.configs.recommended],
    rules: {
      '@typescript-eslint/no-explicit-any': 'error',
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
      '@typescript-eslint/consistent-type-imports': ['error', { fixStyle: 'inline-type-imports' }],
      // The rule would also report `{}` in an intersection type, where it means "adds nothing".
      '@typescript-eslint/no-empty-object-type': 'off',
      'no-console': 'error',
      'no-restricted-globals': ['error', FETCH],
      'no-restricted-imports': restrictedImports(NETWORK),
    },
  },
  {
    files: ['packages/mail/src/mail.ts'],
    rules: { 'no-restricted-imports': restrictedImports(NETWORK.filter((name) => name !== MAIL)) },
  },
  {
    // These packages listen for connections, so they may import Node's network modules.
    files: [
      'packages/rpc/**',
      'services/gateway/**',
      'packages/postgres/**',
      'packages/containers/src/proxy-server.ts',
      'packages/sdk-typescript/src/cli/open-browser.ts',
    ],
    rules: { 'no-restricted-imports': restrictedImports(['undici', MAIL]) },
  },
  {
    // The operator configures the address of the API server, which is private: packages/egress would refuse it.
    files: ['packages/containers/src/kubernetes-client.ts'],
    rules: { 'no-restricted-imports': restrictedImports(['undici', MAIL]) },
  },
  {
    // Each limit is declared once, above its field in proto/, so tags such as @maxLength are errors here.
    files: ['services/gateway/src/rest/**'],
    rules: { 'no-warning-comments': ['error', { terms: LIMITS, location: 'anywhere' }] },
  },
  {
    files: ['packages/egress/**'],
    rules: { 'no-restricted-imports': restrictedImports([]), 'no-restricted-globals': 'off' },
  },
  {
    // The SDK runs in programs of its users, where packages/egress does not exist, so it calls the global fetch.
    files: ['packages/sdk-typescript/src/**'],
    rules: { 'no-restricted-globals': 'off' },
  },
  { files: ['packages/cli/**', 'scripts/**', 'bench/**'], rules: { 'no-console': 'off' } },
  {
    files: TESTS,
    rules: {
      'no-restricted-globals': 'off',
      'no-restricted-imports': restrictedImports([]),
      'max-lines': 'off',
      'max-lines-per-function': 'off',
      '@typescript-eslint/no-explicit-any': 'off',
    },
  },
  {
    files: [
      '**/*.config.{js,ts}',
      'e2e/support/{global-*,file-order}.js',
      'e2e/deploy/*/global-setup.js',
      'scripts/*integration-database.mjs',
    ],
    rules: { 'no-restricted-syntax': ['error', NO_ENUM] }, // the programs that read these files need a default export
  },
);
