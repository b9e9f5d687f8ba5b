import { Cancellation } from './cancellation.js';

it('calls each listener once, and none that was removed', () => {
  const cancellation = new Cancellation();
  const calls: string[] = [];
  const removed = (): void => void calls.push('removed');
  cancellation.addEventListener('abort', removed);
  cancellation.addEventListener('abort', () => calls.push('first'));
  cancellation.addEventListener('abort', () => calls.push('second'));
  cancellation.removeEventListener('abort', removed);
  expect([cancellation.aborted, calls]).toEqual([false, []]);
  cancellation.abort();
  cancellation.abort();
  expect([cancellation.aborted, calls]).toEqual([true, ['first', 'second']]);
});

it('calls no listener that is added after it was canceled or while it is, as an AbortSignal does', () => {
  const cancellation = new Cancellation();
  const calls: string[] = [];
  cancellation.addEventListener('abort', () => {
    cancellation.addEventListener('abort', () => calls.push('late'));
  });
  cancellation.abort();
  cancellation.addEventListener('abort', () => calls.push('later'));
  cancellation.abort();
  expect(calls).toEqual([]);
});

it.each([
  ['before', true],
  ['after', false],
])('aborts its signal, which was first read %s the cancellation', (_, isReadBefore) => {
  const cancellation = new Cancellation();
  const before = isReadBefore ? cancellation.signal : undefined;
  expect(before?.aborted).toBe(isReadBefore ? false : undefined);
  const reason = new Error('The time is over');
  cancellation.abort(reason);
  expect(cancellation.signal.aborted).toBe(true);
  expect([cancellation.reason, cancellation.signal.reason]).toEqual([reason, reason]);
  expect(cancellation.signal).toBe(before ?? cancellation.signal);
});
