import { chooseSuites, filesNamed } from './suites.mjs';
import { filesOfShape } from '../e2e/support/files-of-shape.js';

const SHAPES = ['local', 'kafka', 'processes'];
const filesIn = (isFull) =>
  SHAPES.flatMap((shape) => filesOfShape(shape, { isFull }).map((name) => `${shape} ${name}`));

it('runs everything that `npm test` runs, and more, in `npm run test:full`', async () => {
  const [some, all] = [filesIn(false), filesIn(true)];
  expect(all).toEqual(expect.arrayContaining(some));
  expect(all).toEqual(expect.arrayContaining(['local fuzz.test.ts', 'processes canary.test.ts']));
  expect(some).not.toContain('local fuzz.test.ts');

  const namesOf = async (isFull) => (await chooseSuites({ isFull, names: [] })).map(({ name }) => name);
  const [always, full] = [await namesOf(false), await namesOf(true)];
  expect(full).toEqual(expect.arrayContaining(always));
  expect(full.filter((name) => !always.includes(name))).toEqual([
    'e2e, all in one on Kafka',
    'programs in containers',
    'neighbours, all in one',
    'endurance, one process a service',
  ]);
});

it('chooses the file of a name before files with the name in their path', () => {
  const files = ['e2e/api-keys.test.ts', 'e2e/api-keys-cost.test.ts', 'packages/events/src/bus.integration.test.ts'];
  expect(filesNamed(files, ['api-keys'])).toEqual(['e2e/api-keys.test.ts']);
  expect(filesNamed(files, ['bus'])).toEqual(['packages/events/src/bus.integration.test.ts']);
  expect(filesNamed(files, ['keys-c'])).toEqual(['e2e/api-keys-cost.test.ts']);
  expect(filesNamed(files, ['no-such-file'])).toEqual([]);
});
