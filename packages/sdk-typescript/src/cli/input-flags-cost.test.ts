import { processorTime } from '@drawbridge/testkit';
import { type JsonSchema } from '../json-schema.js';
import { UsageError } from './command.js';
import { toValue } from './input-flags.js';

it.each<[string, JsonSchema, (size: number) => string[]]>([
  ['a long text', { type: 'string' }, (size) => ['a'.repeat(size)]],
  ['a long list', { type: 'array', items: {} }, (size) => Array.from({ length: size }, () => '[1]')],
  ['a long list as JSON', { type: 'array' }, (size) => [JSON.stringify(Array(size).fill(1))]],
  ['a deep text', {}, (size) => ['['.repeat(size)]],
  ['a text that is no number', { type: 'number' }, (size) => [`1${'0'.repeat(size)}x`]],
  ['a text that is no option', { enum: ['open'] }, (size) => ['open'.repeat(size)]],
  ['alternatives', { anyOf: [{ type: 'number' }, { type: 'object' }] }, (size) => ['{"a":'.repeat(size)]],
])('values cost in proportion to %s', (_, schema, textsOf) => {
  const timeOf = (size: number): number => {
    const texts = textsOf(size);
    return processorTime(() => {
      try {
        toValue(schema, texts, '--x');
      } catch (error) {
        if (!(error instanceof UsageError)) throw error;
      }
    });
  };
  timeOf(1_000);
  expect(timeOf(100_000) / Math.max(timeOf(10_000), 2_000)).toBeLessThan(40);
});
