import { minutesNow, requirePollingInterval } from './polling-interval.js';

it.each([
  [undefined, 15, 15],
  [undefined, 1, 5],
  [undefined, null, 5],
  [15, 15, 15],
  [1440, 15, 1440],
  [1, null, 1],
  [1.5, 1, 2],
])('asked %s of a plan that allows %s: each %i minutes', (asked, minimum, expected) => {
  expect(requirePollingInterval({ kind: 'polling', asked, minimum })).toBe(expected);
});

it.each([
  [14, 15],
  [14.9, 15],
])('refuses %s of a plan that allows %s', (asked, minimum) => {
  expect(() => requirePollingInterval({ kind: 'polling', asked, minimum })).toThrow(
    expect.objectContaining({
      code: 'POLLING_INTERVAL_TOO_SHORT',
      status: 403,
      details: { minimumMinutes: minimum, pollingIntervalMinutes: asked },
    }),
  );
});

it.each(['webhook', 'app-webhook'] as const)('has none for the kind %s, and refuses one', (kind) => {
  expect(requirePollingInterval({ kind, asked: undefined, minimum: 15 })).toBeNull();
  expect(() => requirePollingInterval({ kind, asked: 30, minimum: 15 })).toThrow(
    expect.objectContaining({ code: 'VALIDATION_ERROR' }),
  );
});

it.each([
  [5, 15, 15],
  [30, 15, 30],
  [5, null, 5],
])('each %i minutes where the plan now allows %s: each %i', (minutes, minimum, expected) => {
  expect(minutesNow(minutes, minimum)).toBe(expected);
});
