import { processorTime, processorTimeOf } from '@drawbridge/testkit';
import { type ApiTool } from './api-tool.js';
import { EVERY } from './fixtures/every-tool.js';
import { searchIndex } from './search.js';

const index = await searchIndex(EVERY);

const many = (count: number): ApiTool[] =>
  Array.from({ length: count }, (_, at) => ({
    ...EVERY[at % EVERY.length]!,
    alias: `app${at % 97}`,
    actionName: `${EVERY[at % EVERY.length]!.actionName}_${at}`,
  }));

it('costs time in proportion to the number of tools', async () => {
  const [small, large] = [await searchIndex(many(250)), await searchIndex(many(4_000))];
  const timeOf = (one: typeof index) =>
    processorTime(() => Array.from({ length: 20 }, () => one.search('send a mesage to slack channel')));
  // The input is 16 times as long. Linear work takes 16 times as long for it, quadratic work 256 times.
  expect(timeOf(large) / timeOf(small)).toBeLessThan(100);
  const buildingOf = (count: number) => processorTimeOf(() => searchIndex(many(count)), 2);
  expect((await buildingOf(4_000)) / (await buildingOf(250))).toBeLessThan(100);
});

it.each([
  ['words', (n: number) => 'create '.repeat(n)],
  ['different words', (n: number) => Array.from({ length: n }, (_, at) => `create${at}`).join(' ')],
  ['letters', (n: number) => 'a'.repeat(n)],
  ['single letters', (n: number) => 'a b c d e f g h i j k l m n o p '.repeat(n / 16)],
  ['marks', (n: number) => '\u0301'.repeat(n)],
])('costs the same for a query of many %s as for one of 200 characters', (_what, queryOf) => {
  const timeOf = (query: string) => processorTime(() => Array.from({ length: 20 }, () => index.search(query)));
  expect(timeOf(queryOf(160_000)) / timeOf(queryOf(160_000).slice(0, 200))).toBeLessThan(10);
});
