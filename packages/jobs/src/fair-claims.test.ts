import { EventEmitter } from 'node:events';
import { setImmediate as settled } from 'node:timers/promises';
import { fairClaims, flagsOf, RECEIVER_SHARE, SHARE } from './fair-claims.js';

const POLL_MS = 60_000;
const PLACES = 20;

/** Returns simulated workers that ask for jobs, and the answers they got. */
function workers() {
  const events = new EventEmitter();
  const forbidden = fairClaims(events, { pollMs: POLL_MS, places: PLACES }) as () => Promise<string[]>;
  const told: string[][] = [];
  return {
    told,
    async ask(many: number): Promise<void> {
      for (let n = 0; n < many; n++) void forbidden().then((whose) => told.push(whose));
      await settled();
    },
    async hear(event: string, ...orgIds: string[]): Promise<void> {
      const flags = orgIds.length === 0 ? null : Object.fromEntries(orgIds.map((orgId) => [orgId, true]));
      events.emit(event, { job: { flags } });
      await settled();
    },
  };
}

it('has one ask at a time, and the next where there was a job', async () => {
  const { told, ask, hear } = workers();
  await ask(4);
  expect(told).toHaveLength(1);
  await hear('job:start');
  expect(told).toHaveLength(2);
  await hear('worker:getJob:empty');
  expect(told).toHaveLength(2);
});

it.each(['pool:listen:notification', 'job:complete'])('has one ask again after %s', async (news) => {
  const { told, ask, hear } = workers();
  await ask(3);
  await hear('worker:getJob:empty');
  await hear(news);
  expect(told).toHaveLength(2);
});

it.each(['worker:getJob:empty', 'worker:getJob:error'])('forgets no news that comes before %s', async (answer) => {
  const { told, ask, hear } = workers();
  await ask(3);
  await hear('pool:listen:notification');
  expect(told).toHaveLength(1);
  await hear(answer);
  expect(told).toHaveLength(2);
});

it('leaves out who has a whole share at work, until one of theirs ends', async () => {
  const { told, ask, hear } = workers();
  await ask(SHARE + 4);
  for (let n = 0; n < SHARE; n++) await hear('job:start', 'a');
  expect(told.at(-1)).toEqual(['a']);
  await hear('job:start', 'b');
  await hear('job:start');
  expect(told.at(-1)).toEqual(['a']);
  await hear('worker:getJob:empty');
  await hear('job:complete', 'a');
  expect(told.at(-1)).toEqual([]);
});

it('leaves out a receiver that has a smaller share at work, and nobody else of its organization', async () => {
  const { told, ask, hear } = workers();
  await ask(RECEIVER_SHARE + 2);
  const [organization, receiver] = flagsOf('a', 'hung') as [string, string];
  for (let n = 0; n < RECEIVER_SHARE; n++) await hear('job:start', organization, receiver);
  expect(told.at(-1)).toEqual([receiver]);
  await hear('job:complete', organization, receiver);
  await hear('worker:getJob:empty');
  expect(told.at(-1)).toEqual([]);
});

it.each([
  [[], null],
  [['a'], ['a']],
  [
    ['a', 'a'],
    ['a', 'to a'],
  ],
])('says of %j whose it is and whom it is for', (whose, flags) => {
  expect(flagsOf(...(whose as [string?, string?]))).toEqual(flags);
});

describe('where half of the places are taken', () => {
  const asking = async () => {
    const its = workers();
    await its.ask(PLACES);
    for (let n = 0; n < PLACES / 2; n++) await its.hear('job:start', n < 3 ? 'a' : `${n}`);
    return its;
  };

  it('leaves out whoever has one at work', async () => {
    const { told, hear } = await asking();
    expect(told.at(-1)).toEqual(['a', ...Array.from({ length: PLACES / 2 - 3 }, (_, n) => `${n + 3}`)]);
    await hear('job:complete', 'a');
    await hear('worker:getJob:empty');
    expect(told.at(-1)).toEqual([]);
  });

  it('gives nobody another turn before all have had one', async () => {
    const { told, hear } = await asking();
    await hear('job:start', 'b');
    await hear('job:complete', 'b');
    await hear('job:start', 'c');
    expect(told.at(-1)).toEqual(expect.arrayContaining(['a', 'b', 'c']));
    await hear('worker:getJob:empty');
    expect(told.at(-1)).not.toContain('b');
    const many = told.length;
    await hear('worker:getJob:empty');
    expect(told).toHaveLength(many);
  });
});

it('lets everybody go when the queue ends', async () => {
  const { told, ask, hear } = workers();
  await ask(3);
  await hear('pool:gracefulShutdown');
  await ask(1);
  expect(told).toHaveLength(4);
});
