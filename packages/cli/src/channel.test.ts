import { EventEmitter } from 'node:events';
import { Channel } from './channel.js';

type Sums = { sum: { content: number[]; answer: number }; fail: { content: undefined; answer: void } };
type None = Record<never, never>;

/** One of two connected ends, as `process.send` connects a process with its parent. */
class End extends EventEmitter {
  other!: End;
  isClosed = false;

  send(message: unknown, _handle: undefined, _options: undefined, done: (error: Error | null) => void): boolean {
    if (this.isClosed) setImmediate(done, new Error('Channel closed'));
    else setImmediate(() => (this.other.emit('message', message), done(null)));
    return true;
  }
}

function connected(handlers: { sum(content: number[]): number; fail(): void }) {
  const [one, two] = [new End(), new End()];
  [one.other, two.other] = [two, one];
  const asking = new Channel<Sums, None>(one, {});
  new Channel<None, Sums>(two, handlers);
  return { asking, end: one };
}

const handlers = {
  sum: (numbers: number[]) => numbers.reduce((sum, number) => sum + number, 0),
  fail: () => {
    throw new Error('no');
  },
};

it('answers questions, each with its own answer', async () => {
  const { asking } = connected(handlers);
  expect(await Promise.all([[1, 2], [3], []].map((numbers) => asking.ask('sum', numbers)))).toEqual([3, 3, 0]);
});

it('rejects with the reason of the other end', async () => {
  await expect(connected(handlers).asking.ask('fail', undefined)).rejects.toThrow('no');
});

it('rejects if the other end ends before it answers, or has ended', async () => {
  const { asking, end } = connected({ ...handlers, sum: () => new Promise<never>(() => {}) as never });
  const answer = asking.ask('sum', [1]);
  setTimeout(() => end.emit('disconnect'), 10);
  await expect(answer).rejects.toThrow('the other process has ended');
  end.isClosed = true;
  await expect(asking.ask('sum', [1])).rejects.toThrow('Channel closed');
});
