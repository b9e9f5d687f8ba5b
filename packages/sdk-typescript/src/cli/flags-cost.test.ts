import { processorTime } from '@drawbridge/testkit';
import { UsageError } from './command.js';
import { readFlags } from './flags.js';
import { suggestion } from './suggest.js';
import { SPECS } from '../testing/flag-specs.js';

it.each<[string, (size: number) => string[]]>([
  ['many flags', (size) => Array.from({ length: size }, () => '--label=a')],
  ['many values', (size) => Array.from({ length: size }, (_, at) => (at % 2 ? 'a' : '--label'))],
  ['many arguments', (size) => Array.from({ length: size }, () => 'a')],
  ['a long value', (size) => [`--label=${'--a='.repeat(size)}`]],
  ['a long group of short flags', (size) => [`-${'h'.repeat(size)}`]],
  ['a long unknown flag', (size) => [`--${'labe'.repeat(size)}`]],
])('reading flags costs in proportion to %s', (_, argsOf) => {
  const timeOf = (size: number): number => {
    const args = argsOf(size);
    return processorTime(() => {
      try {
        readFlags(args, SPECS);
      } catch (error) {
        if (!(error instanceof UsageError)) throw error;
      }
    });
  };
  timeOf(500);
  expect(timeOf(40_000) / Math.max(timeOf(4_000), 2_000)).toBeLessThan(40);
});

it('a suggestion costs the same for a long text as for a name', () => {
  const many = Array.from({ length: 500 }, (_, at) => `action_number_${at}`);
  const timeOf = (given: string): number => processorTime(() => suggestion(given, many));
  expect(timeOf('action'.repeat(150_000)) / Math.max(timeOf('action'.repeat(10)), 1_000)).toBeLessThan(20);
});
