import { isWithinBounds, MAX_OUTPUT_BYTES, MAX_OUTPUT_LEVELS } from './attempt.js';

const nested = (levels: number, inside = ''): string => '['.repeat(levels) + inside + ']'.repeat(levels);

it.each([
  ['nothing', '{}', true],
  ['as many levels as there may be', nested(MAX_OUTPUT_LEVELS), true],
  ['one level more', nested(MAX_OUTPUT_LEVELS + 1), false],
  ['objects alike', '{"a":'.repeat(65) + '1' + '}'.repeat(65), false],
  ['brackets in texts', JSON.stringify(['['.repeat(100), '{{"\\'.repeat(50), '\\'.repeat(3) + '"[[']), true],
  ['many side by side', `[${nested(50)},${nested(50)}]`, true],
  ['as many bytes as there may be', JSON.stringify('x'.repeat(MAX_OUTPUT_BYTES - 2)), true],
  ['one byte more', JSON.stringify('x'.repeat(MAX_OUTPUT_BYTES - 1)), false],
  ['bytes, not characters', JSON.stringify('é'.repeat(MAX_OUTPUT_BYTES / 2)), false],
])('%s', (_what, json, expected) => {
  expect(isWithinBounds(json)).toBe(expected);
});
