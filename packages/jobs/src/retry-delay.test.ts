import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { MAX_ATTEMPTS, retryDelay } from './retry-delay.js';

const middle = () => 0.5;
const seconds = (attempt: number, random: () => number) => (retryDelay(attempt, random) ?? NaN) / 1_000;

describe('retryDelay', () => {
  it.each([
    [1, 0, 0, 0],
    [2, 4, 5, 6],
    [3, 240, 300, 360],
    [4, 1_440, 1_800, 2_160],
    [5, 5_760, 7_200, 8_640],
    [6, 14_400, 18_000, 21_600],
    [7, 28_800, 36_000, 43_200],
    [8, 40_320, 50_400, 60_480],
    [9, 57_600, 72_000, 86_400],
    [10, 69_120, 86_400, 103_680],
  ])('lets attempt %i wait from %i through %i to %i seconds', (attempt, least, usual, most) => {
    expect([() => 0, middle, () => 1].map((random) => seconds(attempt, random))).toEqual([least, usual, most]);
  });

  it.each([0, -1, 11, 12])('knows no attempt %i', (attempt) => {
    expect(retryDelay(attempt)).toBeUndefined();
  });

  it('spreads ten attempts over 75 hours and 35 minutes', () => {
    const delays = Array.from({ length: MAX_ATTEMPTS }, (_, index) => seconds(index + 1, middle));
    const total = delays.reduce((sum, delay) => sum + delay, 0);
    expect([delays.length, total]).toEqual([10, 75 * 3_600 + 35 * 60 + 5]);
  });

  it('never waits less than e^(attempts so far) seconds, which the queue adds by itself', () => {
    const tooSoon = Array.from({ length: MAX_ATTEMPTS - 1 }, (_, index) => index + 1).filter(
      (failed) => seconds(failed + 1, () => 0) < Math.exp(failed),
    );
    expect(tooSoon).toEqual([]);
  });
});

it('docs/webhooks.md lists every delay', () => {
  const page = readFileSync(join(import.meta.dirname, '../../../docs/webhooks.md'), 'utf8');
  const [, table = ''] = page.split('a test compares this table with the code');
  const unit = { second: 1, minute: 60, hour: 3_600 };
  const listed = [...table.matchAll(/^\| (\d+) +\| (?:(\d+) (second|minute|hour)s?|none) +\|$/gm)].map(
    ([, attempt, count, of]) => [Number(attempt), count ? Number(count) * unit[of as keyof typeof unit] : 0],
  );
  expect(listed).toEqual(Array.from({ length: MAX_ATTEMPTS }, (_, at) => [at + 1, seconds(at + 1, middle)]));
});
