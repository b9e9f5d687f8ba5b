import { processorTimeOf } from '@drawbridge/testkit';
import { callOf, declarationsOf } from './declarations.js';
import { toSchema, toTool } from './fixtures/api-tools.js';

it.each([
  ['tools', (n: number) => Array.from({ length: n }, (_, at) => toTool({ actionName: `a${at}` }))],
  ['aliases', (n: number) => Array.from({ length: n }, (_, at) => toTool({ alias: `a${at}` }))],
  [
    'keys',
    (n: number) => [
      toTool({
        inputSchema: toSchema(
          Object.fromEntries(Array.from({ length: n }, (_, at) => [`k${at}`, { type: 'string' } as const])),
        ),
      }),
    ],
  ],
  [
    'enum values',
    (n: number) => [
      toTool({
        inputSchema: toSchema({ a: { type: 'string', enum: Array.from({ length: n }, (_, at) => `v${at}`) } }),
      }),
    ],
  ],
  [
    'defaulted keys',
    (n: number) => [
      toTool({
        inputSchema: toSchema(Object.fromEntries(Array.from({ length: n }, (_, at) => [`k${at}`, {}]))),
        defaultedKeys: Array.from({ length: n }, (_, at) => `k${at}`),
      }),
    ],
  ],
])('costs time in proportion to the number of %s', async (_what, toolsOf) => {
  const timeOf = (n: number): Promise<number> => {
    const tools = toolsOf(n);
    return processorTimeOf(async () => [await declarationsOf(tools), tools.slice(0, 50).map(callOf)], 3);
  };
  // The input is 16 times as long. Linear work takes 16 times as long for it, quadratic work 256 times.
  expect((await timeOf(32_000)) / (await timeOf(2_000))).toBeLessThan(100);
});
