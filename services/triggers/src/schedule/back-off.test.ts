import fc from 'fast-check';
import { backOff } from './back-off.js';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const middle = () => 0.5;

it.each([
  [1, 2 * MINUTE],
  [2, 4 * MINUTE],
  [5, 32 * MINUTE],
  [8, 256 * MINUTE],
  [9, 6 * HOUR],
  [1e9, 6 * HOUR],
])('waits, after %i failures of what is done each minute, %i ms', (failures, expected) => {
  expect(backOff({ everyMs: MINUTE, failures }, middle)).toBe(expected);
});

it('waits no less than it would without a failure', () => {
  expect(backOff({ everyMs: 24 * HOUR, failures: 3 }, middle)).toBe(24 * HOUR);
  expect(backOff({ everyMs: 24 * HOUR, failures: 3 }, () => 0)).toBe(24 * HOUR);
});

it.each([
  [90, 2 * MINUTE],
  [1_800, 30 * MINUTE],
  [10 * 24 * 3_600, 24 * HOUR],
  [-5, 2 * MINUTE],
])('waits as long as it was asked to, %i s: %i ms', (retryAfterSeconds, expected) => {
  expect(backOff({ everyMs: MINUTE, failures: 1, retryAfterSeconds }, middle)).toBe(expected);
});

it('never shortens with one more failure by more than its jitter, and is always a time', () => {
  const failing = fc.record({
    everyMs: fc.integer({ min: 1, max: 1_440 }).map((minutes) => minutes * MINUTE),
    failures: fc.nat(),
    retryAfterSeconds: fc.option(fc.nat(), { nil: undefined }),
  });
  fc.assert(
    fc.property(failing, fc.double({ min: 0, max: 0.999, noNaN: true }), (given, at) => {
      const ms = backOff(given, () => at);
      expect(ms).toBeGreaterThanOrEqual(given.everyMs);
      expect(ms).toBeLessThanOrEqual(24 * HOUR * 1.2);
      expect(backOff({ ...given, failures: given.failures + 1 }, () => at)).toBeGreaterThanOrEqual(ms);
    }),
  );
});
