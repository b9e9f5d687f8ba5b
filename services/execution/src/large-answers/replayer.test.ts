import { EventEmitter } from 'node:events';
import { setImmediate } from 'node:timers/promises';
import { type Carrier } from './carriers.js';
import { type Replay } from './replay.js';
import { LimitError, NotBegunError, Replayer } from './replayer.js';

const JOB = { pieceName: 'x' } as unknown as Replay;

/** One that is ready, unless it is told to end first, and does this with a job. */
function replayer(does: (events: EventEmitter) => void, first = 'message'): Replayer {
  return new Replayer((): Carrier => {
    const events = new EventEmitter();
    void setImmediate().then(() => events.emit(first, 'ready'));
    return { events, limitMs: 60_000, post: () => does(events), isSpent: () => false, end: async () => undefined };
  }, '');
}

it('answers what its carrier says', async () => {
  const said = { ended: {} };
  const answering = replayer((events) => void setImmediate().then(() => events.emit('message', said)));
  expect(await answering.replay(JOB)).toBe(said);
  await answering.end();
});

it('has begun nothing where a carrier ends while it starts', async () => {
  const dying = replayer(() => undefined, 'exit');
  await expect(dying.replay(JOB)).rejects.toBeInstanceOf(NotBegunError);
  await dying.end();
});

it('says that a carrier did not outlive its job', async () => {
  const dying = replayer((events) => void setImmediate().then(() => events.emit('exit', 1)));
  await expect(dying.replay(JOB)).rejects.toBeInstanceOf(LimitError);
  await dying.end();
});

it('leaves no rejection behind of a job that its carrier can not take', async () => {
  const unheard: unknown[] = [];
  const hear = (reason: unknown): void => void unheard.push(reason);
  process.on('unhandledRejection', hear);
  const refusing = replayer((events) => {
    events.emit('exit', 1);
    throw new Error('It can not be copied');
  });
  await expect(refusing.replay(JOB)).rejects.toThrow('It can not be copied');
  await setImmediate();
  process.off('unhandledRejection', hear);
  expect(unheard).toEqual([]);
  await refusing.end();
});

it('leaves nothing of a job to the next one: a carrier that holds much ends', async () => {
  const began: { ended: boolean }[] = [];
  const answering = new Replayer((): Carrier => {
    const [events, self] = [new EventEmitter(), { ended: false }];
    const say = (): void => void setImmediate().then(() => events.emit('message', { ended: {} }));
    began.push(self);
    say();
    const isFirst = began.length === 1;
    return { events, limitMs: 60_000, post: say, isSpent: () => isFirst, end: async () => void (self.ended = true) };
  }, '');
  for (let n = 0; n < 3; n += 1) await answering.replay(JOB);
  expect(began).toEqual([{ ended: true }, { ended: false }]);
  await answering.end();
});
