import { processorTime } from '@drawbridge/testkit';
import { storedWords } from './search-words.js';

it.each([
  ['one long word', 'x'],
  ['characters without spaces', '漢'],
  ['many words', 'ab '],
  ['accents', 'é'],
])('costs time linear in the size: %s', (_what, part) => {
  const cost = (size: number): number => {
    const text = part.repeat(size);
    return processorTime(() => storedWords(text));
  };
  // The input is 16 times as large. Quadratic work would take 256 times as long.
  expect(cost(1024 * 1024) / cost(64 * 1024)).toBeLessThan(100);
});
