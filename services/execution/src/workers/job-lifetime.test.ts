import { type EventEmitter } from 'node:events';
import { setImmediate } from 'node:timers/promises';
import { endJob, job, settle, workerThat } from '../testing/fake-worker.js';
import { NotBegunError } from './worker-slots.js';
import { type ToWorker } from './job.js';
import { type JobPool, jobPool, SUSPENDED } from './job-pool.js';
import { LimitError, type Worker } from './worker.js';

const never = new AbortController().signal;

describe('a job', () => {
  const runOn = (...workers: (() => Worker)[]): JobPool => jobPool(() => workers.shift()!(), 2);
  const inTime = (does: (events: EventEmitter, message: ToWorker) => void) => () =>
    workerThat((events, message) => void setImmediate().then(() => does(events, message)));
  const working = inTime(endJob);

  it('has not begun where its worker ends while it starts', async () => {
    const dying = runOn(() => workerThat(endJob, () => 1));
    await expect(dying.run('a', job('a'), never)).rejects.toBeInstanceOf(NotBegunError);
  });

  it('fails alone when its worker ends, and the next job has another worker', async () => {
    const dying = runOn(
      inTime((events) => void events.emit('exit', 1)),
      working,
    );
    await expect(dying.run('a', job('a'), never)).rejects.toBeInstanceOf(LimitError);
    expect(await dying.run('a', job('a'), never)).toEqual({});
    await dying.stop(0);
  });

  it('fails when its worker ends while it waits for its provider', async () => {
    const ask = inTime((events, { turn }) => {
      events.emit('message', { request: { method: 'GET', url: 'https://x.example/' }, id: 1 });
      events.emit('message', { turnEnded: turn });
      void setImmediate().then(() => events.emit('exit', 1));
    });
    const hanging = { ...job('a'), send: () => new Promise<never>(() => undefined) };
    await expect(runOn(ask).run('a', hanging, never)).rejects.toBeInstanceOf(LimitError);
  });

  it('leaves no rejection behind that nothing handles, where its worker cannot take it', async () => {
    const unhandled: unknown[] = [];
    const note = (reason: unknown): void => void unhandled.push(reason);
    process.on('unhandledRejection', note);
    const refusing = runOn(() =>
      workerThat((events) => {
        events.emit('exit', 1);
        throw new Error('The job cannot be copied');
      }),
    );
    await expect(refusing.run('a', job('a'), never)).rejects.toBeInstanceOf(LimitError);
    await settle();
    process.off('unhandledRejection', note);
    expect(unhandled).toEqual([]);
  });

  it('ends its worker where it cannot begin', async () => {
    let hasEnded = false;
    const pool = runOn(() => ({ ...working(), end: async () => void (hasEnded = true) }));
    const begin = (): never => {
      throw new Error('The job is too large');
    };
    await expect(pool.run('a', { ...job('a'), begin }, never)).rejects.toThrow('The job is too large');
    expect(hasEnded).toBe(true);
  });

  it('leaves nothing to the next one where its worker holds much', async () => {
    const ended: string[] = [];
    const named = (name: string, isSpent: boolean) => () => ({
      ...working(),
      isSpent: () => isSpent,
      end: async () => void ended.push(name),
    });
    const spending = runOn(named('first', true), named('second', false));
    const results: unknown[] = [];
    for (let jobs = 0; jobs < 3; jobs++) results.push(await spending.run('a', job('a'), never));
    expect(results).toEqual([{}, {}, {}]);
    expect(ended).toEqual(['first']);
    await spending.stop(0);
    expect(ended).toEqual(['first', 'second']);
  });

  it('frees its slot where its run ends while its worker starts, and does not begin', async () => {
    const leaving = new AbortController();
    const starting = (): Worker => {
      leaving.abort();
      return working();
    };
    const one = jobPool(() => (leaving.signal.aborted ? working() : starting()), 1);
    let hasBegun = false;
    const run = { ...job('a'), begin: () => ((hasBegun = true), job('a').begin()) };
    await expect(one.run('a', run, leaving.signal)).rejects.toBeInstanceOf(NotBegunError);
    expect(hasBegun).toBe(false);
    expect(await one.run('b', job('b'), never)).toEqual({});
    await one.stop(0);
  });

  it('loses its worker while its provider hangs where another one waits', async () => {
    const ask = inTime((events, message) => {
      if ('job' in message && message.job.pieceName === 'b') return endJob(events, message);
      events.emit('message', { request: { method: 'GET', url: 'https://x.example/' }, id: 1 });
      events.emit('message', { turnEnded: message.turn });
    });
    const one = jobPool(ask, 1, 0);
    const hanging = { ...job('a'), send: () => new Promise<never>(() => undefined) };
    const first = one.run('a', hanging, never);
    expect(await one.run('b', job('b'), never)).toEqual({});
    expect(await first).toBe(SUSPENDED);
    const full = one.run('a', { ...hanging, canRestart: () => false }, never);
    expect((await Promise.allSettled([full, one.run('b', job('b'), never)]))[0]).toMatchObject({
      reason: expect.any(LimitError),
    });
    await one.stop(0);
  });
});
