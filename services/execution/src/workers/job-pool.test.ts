import { type EventEmitter } from 'node:events';
import { setImmediate } from 'node:timers/promises';
import { QueueFullError } from '@drawbridge/turns';
import { endJob, job, settle, workerThat } from '../testing/fake-worker.js';
import { NotBegunError } from './worker-slots.js';
import { type ToWorker } from './job.js';
import { type JobPool, jobPool } from './job-pool.js';

const MAX_WAITING = 1_000;
const MANY = MAX_WAITING + 10;
const never = new AbortController().signal;

let begun: string[];
let held: (() => void)[];
let pool: JobPool;

/** Creates a pool of fake workers that complete a job only when the test allows it. */
beforeEach(() => {
  [begun, held] = [[], []];
  const hold = (events: EventEmitter, message: ToWorker): void => {
    if ('job' in message) begun.push(message.job.pieceName);
    held.push(() => endJob(events, message));
  };
  pool = jobPool(() => workerThat(hold), 10_000);
});
afterEach(() => pool.stop(0));

/** Runs more jobs than may wait. Returns the errors of the failed jobs after all jobs have ended. */
async function many(signal = never): Promise<unknown[]> {
  const runs = Array.from({ length: MANY }, () => pool.run('a', job('a'), signal));
  return (await Promise.allSettled(runs)).flatMap((one) => (one.status === 'rejected' ? [one.reason] : []));
}

/** Waits until no further job can begin. Returns the number of jobs that run at the same time on this machine. */
async function begunAtOnce(): Promise<number> {
  while (begun.length === 0) await setImmediate();
  await settle();
  return begun.length;
}

/** Completes one job, so that the next job begins. */
async function letGo(): Promise<void> {
  held.shift()!();
  await settle();
}

async function letAllGo(): Promise<void> {
  while (held.length > 0) await letGo();
}

it('lets a thousand of an organization wait, and refuses the others at once', async () => {
  const failing = many();
  const atOnce = await begunAtOnce();
  await letAllGo();
  const failures = await failing;
  expect(failures).toHaveLength(MANY - MAX_WAITING - atOnce);
  for (const failure of failures) expect(failure).toBeInstanceOf(QueueFullError);
  expect(begun).toHaveLength(MAX_WAITING + atOnce);
  await expect(pool.run('a', job('a', 257 * 1024 * 1024), never)).rejects.toBeInstanceOf(QueueFullError);
});

it('queues no caller behind all jobs of another one', async () => {
  const failing = many();
  await begunAtOnce();
  const theirs = pool.run('b', job('b'), never);
  await settle();
  expect(begun).not.toContain('b');
  await letGo();
  await letGo();
  expect(begun).toContain('b');
  await letAllGo();
  expect(await theirs).toEqual({});
  await failing;
});

it('has not begun what leaves before its turn, and gives its place to others', async () => {
  const leaving = new AbortController();
  const failing = many(leaving.signal);
  await begunAtOnce();
  leaving.abort();
  await letAllGo();
  const left = (await failing).filter((failure) => failure instanceof NotBegunError);
  expect(left).toHaveLength(MAX_WAITING);
  const next = pool.run('a', job('next'), never);
  while (!begun.includes('next')) await settle();
  await letAllGo();
  expect(await next).toEqual({});
});

it('leaves its turn to others while it waits for its provider', async () => {
  const ask = (events: EventEmitter, message: ToWorker): void => {
    if (!('job' in message) || message.job.pieceName !== 'slow') return endJob(events, message);
    events.emit('message', { request: { method: 'GET', url: 'https://x.example/' }, id: 1 });
    events.emit('message', { turnEnded: message.turn });
  };
  const asking = jobPool(
    () => workerThat((events, message) => void setImmediate().then(() => ask(events, message))),
    10,
  );
  const slow = Array.from({ length: 8 }, () => {
    let answer = (): void => undefined;
    const answered = new Promise<object>((resolve) => (answer = () => resolve({})));
    return { answer, ended: asking.run('a', { ...job('slow'), send: () => answered }, never) };
  });
  expect(await asking.run('b', job('quick'), never)).toEqual({});
  for (const { answer } of slow) answer();
  expect(await Promise.all(slow.map(({ ended }) => ended))).toEqual(slow.map(() => ({})));
  await asking.stop(0);
});
