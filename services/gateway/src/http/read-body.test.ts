import { once } from 'node:events';
import { PassThrough } from 'node:stream';
import { type Request } from 'express';
import { LARGE_BYTES, readBody } from './read-body.js';

const LONG_MS = 35_000;
const limit = 1_000_000;

beforeEach(() => import.meta.jest.useFakeTimers({ doNotFake: ['nextTick', 'queueMicrotask', 'setImmediate'] }));
afterEach(() => import.meta.jest.useRealTimers());

function request(): PassThrough & Request {
  const sent = new PassThrough();
  sent.once('end', () => Object.assign(sent, { complete: true })); // as the parser of Node.js does
  return Object.assign(sent, { socket: { bytesRead: 0 }, get: () => undefined }) as never;
}

it('does not count as slow while it waits for room', async () => {
  const sent = request();
  let makeRoom = (): void => undefined;
  const isAsked = new Promise<void>((asked) => {
    const wait = (): Promise<void> => (asked(), new Promise((resolve) => (makeRoom = resolve)));
    void readBody(sent, { limit, makeRoom: wait }).then(
      ({ length }) => sent.emit('read', length),
      (error) => sent.emit('read', error),
    );
  });
  const read = new Promise((resolve) => sent.once('read', resolve));
  sent.write(Buffer.alloc(LARGE_BYTES + 1));
  await isAsked;
  await import.meta.jest.advanceTimersByTimeAsync(LONG_MS);
  makeRoom();
  await import.meta.jest.advanceTimersByTimeAsync(LONG_MS / 7); // the rest of the check interval that began while the body waited for a slot
  sent.end('x');
  expect(await read).toBe(LARGE_BYTES + 2);
  expect(import.meta.jest.getTimerCount()).toBe(0);
});

it('counts as slow before and after', async () => {
  const sent = request();
  const read = readBody(sent, { limit, makeRoom: async () => undefined });
  const failed = expect(read).rejects.toMatchObject({ code: 'TIMEOUT', status: 408 });
  sent.write(Buffer.alloc(LARGE_BYTES + 1));
  await import.meta.jest.advanceTimersByTimeAsync(LONG_MS);
  await failed;
  expect(import.meta.jest.getTimerCount()).toBe(0);
});

it.each([true, false])(
  'fails at once after its client disconnected, if the body has arrived completely: %s',
  async (complete) => {
    const sent = Object.assign(request(), { complete });
    sent.write(Buffer.alloc(LARGE_BYTES + 1));
    await once(sent.destroy(), 'close');
    await expect(readBody(sent, { limit })).rejects.toMatchObject({ code: 'VALIDATION_ERROR', status: 400 });
    expect(import.meta.jest.getTimerCount()).toBe(0);
  },
);
