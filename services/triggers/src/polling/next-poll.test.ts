import fc from 'fast-check';
import { minutesNow, nextPoll, type PollState, requirePollingInterval } from './next-poll.js';

const state: PollState = { cursor: '{"at":1}', failures: 0, minutes: 5 };
const answer = (events: unknown, cursor: unknown = { at: 2 }) => ({ polledJson: JSON.stringify({ events, cursor }) });
const event = (id: string, data: object = {}) => ({ id, data });

it('hands on what is new, and where to go on', () => {
  expect(nextPoll(state, answer([event('1'), event('2')]))).toEqual({
    events: [event('1'), event('2')],
    cursor: '{"at":2}',
    failures: 0,
    inMs: 5 * 60_000,
  });
});

it('begins without events, whatever there was', () => {
  expect(nextPoll({ ...state, cursor: null }, answer([event('1')]))).toMatchObject({ events: [], cursor: '{"at":2}' });
});

it('takes one that is shown twice once, at its first place, as it was shown first', () => {
  const { events } = nextPoll(state, answer([event('1', { a: 1 }), event('2'), event('1', { a: 2 })]));
  expect(events).toEqual([event('1', { a: 1 }), event('2')]);
});

it('keeps its cursor while polls fail, and is well again after one that does not', () => {
  const failed = nextPoll({ ...state, failures: 2 }, { failed: true }, () => 0.5);
  expect(failed).toEqual({ events: [], cursor: state.cursor, failures: 3, inMs: 40 * 60_000 });
  expect(nextPoll({ ...state, ...failed }, answer([]))).toMatchObject({ failures: 0, inMs: 5 * 60_000 });
});

it('waits as long as the third party asked for', () => {
  expect(nextPoll(state, { failed: true, retryAfterSeconds: 7_200 }).inMs).toBe(7_200_000);
});

it.each<[string, unknown]>([
  ['nothing', null],
  ['no events', { cursor: 1 }],
  ['no cursor', { events: [] }],
  ['a cursor of null', { events: [], cursor: null }],
  ['an event without an id', { events: [{ data: {} }], cursor: 1 }],
  ['an empty id', { events: [event('')], cursor: 1 }],
  ['a number for an id', { events: [{ id: 1, data: {} }], cursor: 1 }],
  ['a list for data', { events: [{ id: '1', data: [] }], cursor: 1 }],
  ['an event of null', { events: [null], cursor: 1 }],
])('refuses an answer with %s', (_, given) => {
  expect(() => nextPoll(state, { polledJson: JSON.stringify(given) })).toThrow(
    expect.objectContaining({ code: 'ACTION_FAILED' }),
  );
});

it('refuses a cursor that is too large to be kept', () => {
  expect(() => nextPoll(state, answer([], 'x'.repeat(2 ** 20)))).toThrow('exceeds 1048576 bytes');
});

/** An item at a provider. `at` is a time of the clock of the provider, which may stop, jump or be wrong. */
interface Item {
  id: number;
  at: number;
}

/** Polls like the github piece: the cursor contains the newest second and all ids with this second. */
function poll(items: readonly Item[], cursor: string | null): { polledJson: string } {
  const seen = cursor === null ? undefined : (JSON.parse(cursor) as { at: number; ids: number[] });
  const from = seen?.at ?? Math.max(-Infinity, ...items.map(({ at }) => at));
  const read = items.filter(({ at }) => at >= from);
  const fresh = read.filter(({ id, at }) => !(at === seen?.at && seen.ids.includes(id)));
  const at = Math.max(from, ...read.map((item) => item.at));
  const ids = read.filter((item) => item.at === at).map(({ id }) => id);
  return answer(
    fresh.map(({ id }) => event(`${id}`)),
    { at: Number.isFinite(at) ? at : 0, ids },
  );
}

type Step = 'add in the same second' | 'add later' | 'poll' | 'fail' | 'crash' | 'race' | 'shuffle' | 'show twice';
const STEPS: Step[] = ['add in the same second', 'add later', 'poll', 'fail', 'crash', 'race', 'shuffle', 'show twice'];

/**
 * A source with its stored state. Like the database, it writes the state and the ids of events together, and only if the state is still the one that
 * was read.
 */
class Stored {
  state: PollState = { cursor: null, failures: 0, minutes: 1 };
  readonly delivered: string[] = [];

  /** Returns true if the state was written, and false if another poller wrote it first. */
  write(read: PollState, given: Parameters<typeof nextPoll>[1]): boolean {
    const { events, cursor, failures } = nextPoll(read, given);
    if (read.cursor !== this.state.cursor) return false;
    this.delivered.push(...events.map(({ id }) => id).filter((id) => !this.delivered.includes(id)));
    this.state = { ...read, cursor, failures };
    return true;
  }
}

it('loses none and repeats none: equal times, any order, failures, crashes between poll and commit, two pollers at once', () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...STEPS), { maxLength: 60 }), fc.integer(), (steps, begin) => {
      const stored = new Stored();
      let items: Item[] = [{ id: 0, at: begin }];
      stored.write(stored.state, poll(items, null));
      const add = (at: number) => void (items = [{ id: items.length, at }, ...items]);
      const newest = () => Math.max(...items.map(({ at }) => at));
      const twice = () => poll([...items, ...items], stored.state.cursor);
      for (const step of steps) {
        const read = stored.state;
        if (step === 'add in the same second') add(newest());
        if (step === 'add later') add(newest() + 1);
        if (step === 'shuffle') items = [...items].reverse();
        if (step === 'fail') stored.write(read, { failed: true });
        if (step === 'crash') nextPoll(read, poll(items, read.cursor));
        if (step === 'poll') stored.write(read, poll(items, read.cursor));
        if (step === 'show twice') stored.write(read, twice());
        if (step === 'race') {
          const slow = poll(items, read.cursor);
          add(newest());
          stored.write(read, poll(items, read.cursor));
          stored.write(read, slow);
        }
      }
      stored.write(stored.state, poll(items, stored.state.cursor));
      const expected = items.map(({ id }) => id).filter((id) => id > 0);
      expect(stored.delivered.map(Number).sort((one, other) => one - other)).toEqual(expected.sort((a, b) => a - b));
    }),
    { numRuns: 1_000 },
  );
});

it.each([
  [undefined, 15, 15],
  [undefined, 1, 5],
  [undefined, null, 5],
  [15, 15, 15],
  [1440, 15, 1440],
  [1, null, 1],
  [1.5, 1, 2],
])('asked %s of a plan that allows %s: each %i minutes', (asked, minimum, expected) => {
  expect(requirePollingInterval({ kind: 'polling', asked, minimum })).toBe(expected);
});

it.each([
  [14, 15],
  [14.9, 15],
])('refuses %s of a plan that allows %s', (asked, minimum) => {
  expect(() => requirePollingInterval({ kind: 'polling', asked, minimum })).toThrow(
    expect.objectContaining({
      code: 'POLLING_INTERVAL_TOO_SHORT',
      status: 403,
      details: { minimumMinutes: minimum, pollingIntervalMinutes: asked },
    }),
  );
});

it.each(['webhook', 'app-webhook'] as const)('has none for the kind %s, and refuses one', (kind) => {
  expect(requirePollingInterval({ kind, asked: undefined, minimum: 15 })).toBeNull();
  expect(() => requirePollingInterval({ kind, asked: 30, minimum: 15 })).toThrow(
    expect.objectContaining({ code: 'VALIDATION_ERROR' }),
  );
});

it.each([
  [5, 15, 15],
  [30, 15, 30],
  [5, null, 5],
])('each %i minutes where the plan now allows %s: each %i', (minutes, minimum, expected) => {
  expect(minutesNow(minutes, minimum)).toBe(expected);
});
