import { ReferenceClock } from './reference-clock.js';

const HOUR = 3_600_000;

/** Returns a reading according to which the reference is `aheadMs` ahead of this machine. */
function readingOf(aheadMs: number, roundTripMs = 0) {
  const receivedAt = performance.now();
  return { epochMs: Date.now() + aheadMs - roundTripMs / 2, sentAt: receivedAt - roundTripMs, receivedAt };
}

function clockOf(...readings: ReturnType<typeof readingOf>[]): ReferenceClock {
  const clock = new ReferenceClock();
  for (const reading of readings) clock.learn(reading);
  return clock;
}

describe('the reference clock', () => {
  afterEach(() => import.meta.jest.useRealTimers());

  it('is unknown and reports no difference until it is read', () => {
    expect([clockOf().now(), clockOf().skewMs(), clockOf().isSkewed()]).toEqual([undefined, 0, false]);
  });

  it.each([
    ['an hour ahead', -HOUR, true],
    ['an hour behind', HOUR, true],
    ['three minutes ahead', -180_000, true],
    ['two minutes ahead', -119_000, false],
    ['two minutes behind', 119_000, false],
  ])('decides whether a machine that is %s can work', (_, aheadMs, isSkewed) => {
    const clock = clockOf(readingOf(aheadMs));
    expect(clock.isSkewed()).toBe(isSkewed);
    const agree = (): void => clock.requireAgreement();
    if (isSkewed) expect(agree).toThrow(/^The clock of this machine is \d+ s (ahead of|behind) the database's clock/);
    else agree();
  });

  it('does not move when the clock of the machine steps', () => {
    const clock = clockOf(readingOf(0));
    const before = clock.now()!;
    import.meta.jest.useFakeTimers({ now: Date.now() + HOUR, doNotFake: ['performance'] });
    expect(Math.abs(clock.now()! - before)).toBeLessThan(HOUR / 2);
    expect(clock.isSkewed()).toBe(true);
  });

  it('prefers the more exact of two readings', () => {
    expect(clockOf(readingOf(0), readingOf(HOUR, 30_000)).isSkewed()).toBe(false);
    expect(clockOf(readingOf(HOUR, 30_000), readingOf(0)).isSkewed()).toBe(false);
  });

  it('ignores invalid times', () => {
    expect(clockOf({ ...readingOf(0), epochMs: NaN }).now()).toBeUndefined();
  });
});
