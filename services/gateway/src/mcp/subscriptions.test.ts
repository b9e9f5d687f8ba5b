import { type Response } from 'express';

/** The types of Jest lack this function. */
const jest = import.meta.jest as unknown as { unstable_mockModule(name: string, make: () => object): void };

/** A sleep that lasts until its signal aborts, so that the stream can end only by its signal. */
const sleep = (_ms: number, _value: unknown, { signal }: { signal: AbortSignal }): Promise<never> =>
  new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason), { once: true }));

jest.unstable_mockModule('node:timers/promises', () => ({ setTimeout: sleep }));
const { subscriptions } = await import('./subscriptions.js');

/** Opens the stream of one listener. */
function listener() {
  const [request, drain] = [new AbortController(), new AbortController()];
  const sent: string[] = [];
  const response = {
    locals: { context: { signal: request.signal }, slots: { take: async () => undefined, free: () => [] } },
    setHeaders: () => undefined,
    write: (text: string) => sent.push(text),
    end: (text: string) => sent.push(text),
  } as unknown as Response;
  const surfaceOf = async () => ({ tools: new Map(), pages: [], tag: 'tag', knownTag: '' });
  const agent = { door: { orgId: 'org' }, offers: { tag: 'tag', list: [] } } as never;
  const params = { notifications: { toolsListChanged: true } };
  const message = { kind: 'request', id: 1, method: 'subscriptions/listen', params } as never;
  const again = () => Promise.reject(new Error('No further look-up is expected'));
  const ended = subscriptions({ surfaceOf, draining: drain.signal })({ agent, message, again }, response);
  return { request, drain, sent, ended };
}

it.each(['request', 'drain'] as const)('a stream that waits ends when its signal aborts: %s', async (which) => {
  const { sent, ended, ...its } = listener();
  await new Promise((resolve) => setImmediate(resolve)); // Until then, the stream has begun to wait.
  its[which].abort();
  await ended;
  expect(sent).toEqual([
    expect.stringContaining('notifications/subscriptions/acknowledged'),
    expect.stringContaining('"resultType":"complete"'),
  ]);
});
