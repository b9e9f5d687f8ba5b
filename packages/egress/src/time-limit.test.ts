import { getEventListeners } from 'node:events';
import { Cancellation } from '@drawbridge/rpc';
import { untilLimit, withTimeLimit } from './time-limit.js';

const listenersOf = (signal: AbortSignal): number => getEventListeners(signal, 'abort').length;

describe('a time limit', () => {
  it('aborts with its caller, and observes the caller only until its end', () => {
    const caller = new AbortController();
    const first = withTimeLimit(60_000, caller.signal);
    expect(listenersOf(caller.signal)).toBe(1);
    first.end();
    expect(listenersOf(caller.signal)).toBe(0);
    const second = withTimeLimit(60_000, caller.signal);
    caller.abort();
    expect([first.limit.aborted, second.limit.aborted]).toEqual([false, true]);
    expect([second.limit.reason, second.limit.signal.reason]).toMatchObject([{ code: 'ABORTED' }, { code: 'ABORTED' }]);
    expect(listenersOf(caller.signal)).toBe(0);
  });

  it('is aborted from the start if its caller already is', () => {
    expect(withTimeLimit(60_000, AbortSignal.abort()).limit).toMatchObject({
      aborted: true,
      reason: { code: 'ABORTED' },
    });
  });

  it('aborts with TIMEOUT after its time', async () => {
    const { limit } = withTimeLimit(1, undefined);
    await new Promise<void>((resolve) => limit.addEventListener('abort', resolve));
    expect(limit.reason).toMatchObject({ code: 'TIMEOUT', reason: 'no complete response within 1 ms' });
  });
});

describe('a decision about a redirect', () => {
  const never = new Promise<void>(() => undefined);

  it.each([
    ['before the limit', true],
    ['after the limit', false],
  ])('that is requested %s ends with its reason', async (_, isBefore) => {
    const limit = new Cancellation();
    if (!isBefore) limit.abort(new Error('The time is over'));
    const decision = untilLimit(never, limit);
    limit.abort(new Error('The time is over'));
    await expect(decision).rejects.toThrow('The time is over');
  });

  it('does not observe the limit after it was made', async () => {
    const limit = new Cancellation();
    const removed: unknown[] = [];
    const remove = limit.removeEventListener.bind(limit);
    limit.removeEventListener = (type, listener) => (removed.push(listener), remove(type, listener));
    await untilLimit(Promise.resolve(), limit);
    await expect(untilLimit(Promise.reject(new Error('Denied')), limit)).rejects.toThrow('Denied');
    expect(removed).toHaveLength(2);
  });
});
