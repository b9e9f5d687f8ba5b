// The parts of `npm run test:deploy`. To add one, add its test file to e2e/deploy and an entry here.
//   name    as in the output, and in `npm run test:deploy -- NAME`
//   needs   requirements by their names in NEEDS of suites.mjs; without one the part is skipped, or fails if REQUIRE lists it
//   before  programs of Node.js that run first: downloads and builds
//   file    the test file, which jest runs by e2e/deploy/jest.config.js; or a configuration of jest
//   isAlone the tests run with a network, mounts and processes of their own
//   isOnRequest  the part runs only if it is named, or with --all
//   inputs  files and folders, besides those of its tests: the part is not run again until one of them changes after it has passed

/** Inputs of every part: they determine how the product is packaged and which services exist. */
export const EVERYWHERE = [
  '.dockerignore',
  'deploy',
  'e2e/deploy/jest.config.js',
  'e2e/deploy/requirements.txt',
  'e2e/deploy/shared',
  'e2e/deploy/stand-ins',
  'e2e/deploy/support',
  'packages/cli',
  'packages/contracts/src/services.ts',
  'pnpm-lock.yaml',
  'proto',
  'scripts/deploy-parts.mjs',
];

export const PARTS = [
  {
    name: 'kubernetes',
    needs: ['go'],
    file: 'e2e/deploy/kubernetes.test.ts',
    inputs: [...EVERYWHERE, 'docs/operating.md', 'packages/containers/src/kubernetes-job.ts'],
  },
  { name: 'package', needs: [], file: 'e2e/deploy/package.test.ts', inputs: [...EVERYWHERE, 'packages/postgres'] },
  {
    name: 'production',
    needs: ['nginx'],
    file: 'e2e/deploy/production.test.ts',
    inputs: [...EVERYWHERE, 'docs/self-hosting.md'],
  },
  { name: 'images', needs: ['docker'], file: 'e2e/deploy/images.test.ts', inputs: EVERYWHERE },
  {
    name: 'compose',
    needs: ['docker', 'kafka', 'compose'],
    file: 'e2e/deploy/compose/jest.config.js',
    inputs: [...EVERYWHERE, 'docker-compose.yml', 'scripts/prepare-compose.mjs'],
  },
  {
    name: 'upgrade',
    needs: ['kafka', 'previous'],
    file: 'e2e/deploy/upgrade/jest.config.js',
    inputs: [...EVERYWHERE, 'scripts/prepare-previous.mjs', 'services/*/prisma', 'packages/events/src'],
  },
  {
    name: 'cluster',
    needs: ['docker', 'kafka', 'kubernetes'],
    before: ['scripts/prepare-cluster.mjs', 'e2e/deploy/cluster/images.mjs'],
    file: 'e2e/deploy/cluster/jest.config.js',
    isAlone: true,
    inputs: [...EVERYWHERE, 'docs/kubernetes.md', 'packages/containers/src', 'scripts/prepare-cluster.mjs'],
    // Takes 10 minutes and more, and its rolling updates need processors that nothing else uses.
    isOnRequest: true,
  },
];
