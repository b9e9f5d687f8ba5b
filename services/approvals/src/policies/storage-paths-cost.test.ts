import { processorTime } from '@drawbridge/testkit';
import { isTrue } from './testing/reasons.js';

it.each(['../', 'a/../', 'a/', '/', './', '\\', 'a\\..\\'])(
  'a path is normalized in linear time, of many %j',
  (part) => {
    const cost = (length: number): number => {
      const path = `${part.repeat(length / part.length)}prod/a`;
      return processorTime(() => isTrue({ storagePathPrefixes: ['never/'] }, { path }));
    };
    // For 16 times the input, linear work costs 16 times as much, and quadratic work 256 times. The constant allows for fixed costs.
    expect(cost(1_600_000)).toBeLessThan(100 * (cost(100_000) + 500));
  },
);
