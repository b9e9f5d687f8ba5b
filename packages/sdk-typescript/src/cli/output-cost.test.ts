import { processorTime } from '@drawbridge/testkit';
import { line, toJson, visible } from './output.js';

it.each<[string, (text: string) => string]>([
  ['visible', visible],
  ['line', line],
  ['toJson', toJson],
])('%s costs in proportion to its text', (_, show) => {
  for (const part of ['a', '\u001b', '\r\n', '\u{e0001}']) {
    const timeOf = (size: number): number => {
      const text = part.repeat(size);
      return processorTime(() => show(text));
    };
    timeOf(1_000);
    expect(timeOf(200_000) / Math.max(timeOf(20_000), 2_000)).toBeLessThan(40);
  }
});
