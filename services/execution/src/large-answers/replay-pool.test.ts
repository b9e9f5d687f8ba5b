import { EventEmitter } from 'node:events';
import { setImmediate } from 'node:timers/promises';
import { QueueFullError } from '@drawbridge/turns';
import { type Carrier } from './carriers.js';
import { type Replay } from './replay.js';
import { type ReplayJob, type ReplayPool, replayPool } from './replay-pool.js';
import { NotBegunError } from './replayer.js';

const MAX_WAITING = 1_000;
const MANY = MAX_WAITING + 10;
const never = new AbortController().signal;

let begun: string[];
let held: (() => void)[];
let pool: ReplayPool;

/** Whose carriers answer a job when it is let go. */
beforeEach(() => {
  [begun, held] = [[], []];
  pool = replayPool('', (): Carrier => {
    const events = new EventEmitter();
    void setImmediate().then(() => events.emit('message', 'ready'));
    const post = ({ pieceName }: Replay): void => {
      begun.push(pieceName);
      held.push(() => void events.emit('message', { ended: {} }));
    };
    return { events, limitMs: 60_000, post, isSpent: () => false, end: async () => undefined };
  });
});
afterEach(() => pool.stop(0));

const job = (name: string, bytes = 0): ReplayJob => ({ bytes, toReplay: () => ({ pieceName: name }) as Replay });

/** Returns why some of them failed, when all have ended. */
async function many(signal = never): Promise<unknown[]> {
  const runs = Array.from({ length: MANY }, () => pool.replay('a', job('a'), signal));
  return (await Promise.allSettled(runs)).flatMap((one) => (one.status === 'rejected' ? [one.reason] : []));
}

/** How many are done at once: as many as this machine allows. */
async function begunAtOnce(): Promise<number> {
  while (begun.length === 0) await setImmediate();
  await setImmediate();
  return begun.length;
}

/** Ends one; whose turn it is then has begun. */
async function letGo(): Promise<void> {
  held.shift()!();
  await setImmediate();
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
  await expect(pool.replay('a', job('a', 257 * 1024 * 1024), never)).rejects.toBeInstanceOf(QueueFullError);
});

it('lets nobody wait behind all that another has', async () => {
  const failing = many();
  const theirs = pool.replay('b', job('b'), never);
  await begunAtOnce();
  expect(begun).not.toContain('b');
  await letGo();
  await letGo();
  expect(begun).toContain('b');
  await letAllGo();
  expect(await theirs).toEqual({ ended: {} });
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
  const next = pool.replay('a', job('next'), never);
  await letAllGo();
  expect(await next).toEqual({ ended: {} });
});
