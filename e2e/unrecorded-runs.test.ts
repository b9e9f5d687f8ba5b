// Shapes: none; in full: local, processes
import { type Answer } from './support/api.js';
import { eventually } from './support/eventually.js';
import { expectError } from './support/expect.js';
import { type HeldRuns, heldRuns } from './support/runs.js';
import { shared } from './support/shared.js';

/** A lease is valid for 15 s. After that, storing the record is retried every 2 s. */
const LAPSED_MS = 45_000;
const RECORD = /INSERT INTO (execution\.)?executions/;

let runs: HeldRuns;
beforeAll(async () => {
  runs = await heldRuns({ withProxy: true });
});
afterAll(() => runs?.stop());
afterEach(() => runs.database.restore());

const ways: [string, (title: string) => Promise<Answer>][] = [
  ['with a key', (title) => runs.execute(title)],
  ['without a key', (title) => runs.executeWithoutKey(title)],
];

function expectUnknown(answer: Answer): void {
  expectError(answer, 400, 'ACTION_FAILED');
  expect(answer.body.details).toEqual({ reason: 'outcome_unknown', retryable: false });
}

describe.each(ways)('a run %s with a result that cannot be recorded', (way, execute) => {
  it.each(['before', 'after'] as const)(
    'returns its result once the database is back in time: unreachable %s the record',
    async (cut) => {
      const title = `${way} ${cut}`;
      const isAway = runs.database.cutAt(RECORD, cut);
      const answer = execute(title);
      await isAway;
      runs.database.restore();
      expect((await answer).status).toBe(200);
      expect(runs.sentTimes(title)).toBe(1);
      await eventually(async () => expect(await runs.logged(title)).toMatchObject([{ status: 'success' }]));
    },
  );
});

it(
  'a run without a key answers outcome_unknown while the database is unreachable, and is logged once it is back',
  async () => {
    const title = 'without a key for long';
    const isAway = runs.database.cutAt(RECORD, 'before');
    const answer = runs.executeWithoutKey(title);
    await isAway;
    expectUnknown(await answer);
    runs.database.restore();
    await eventually(async () => expect(await runs.logged(title)).toHaveLength(1), LAPSED_MS);
    expect(runs.sentTimes(title)).toBe(1);
  },
  LAPSED_MS * 2,
);

it('a key with an unconfirmed claim is free again, and no request was sent', async () => {
  const title = 'taken unheard';
  const isAway = runs.database.cutAt(/INSERT INTO execution\.claims/, 'after');
  const first = runs.execute(title);
  await isAway;
  runs.database.restore();
  expectError(await first, 503, 'UNAVAILABLE');
  expect(runs.sentTimes(title)).toBe(0);
  const again = await eventually(async () => {
    const answer = await runs.execute(title);
    if (answer.status === 503) throw new Error('still away');
    return answer;
  });
  expect(again.status).toBe(200);
  expect(runs.sentTimes(title)).toBe(1);
});

it(
  'a key with a response that was not stored within its lease still returns one response, without another request',
  async () => {
    const title = 'kept in mind';
    const isAway = runs.database.cutAt(RECORD, 'before');
    const first = runs.execute(title);
    await isAway;
    expectUnknown(await first);
    runs.database.restore();
    const again = await eventually(async () => {
      const answer = await runs.execute(title);
      if (answer.status === 503) throw new Error('still away');
      return answer;
    }, LAPSED_MS);
    // A single process still has the result in memory. With two executors, the other executor can respond first and record the outcome as unknown.
    if (runs.executors.length === 1) expect(again.status).toBe(200);
    else if (again.status !== 200) expectUnknown(again);
    expect((await runs.execute(title)).body).toEqual(again.body);
    await eventually(async () => expect(await runs.logged(title)).toHaveLength(1), LAPSED_MS);
    expect(runs.sentTimes(title)).toBe(1);
  },
  LAPSED_MS * 2,
);

// Needs separate services. In a single process, the kill also closes the caller's connection, so no response exists to check.
if (shared().shape === 'processes') {
  it(
    'a key with only dead processes during its run answers outcome_unknown, never 503',
    async () => {
      const title = 'no process left';
      const release = runs.hold();
      const answer = runs.execute(title);
      await runs.received(title);
      await Promise.all(runs.executors.map((name) => runs.product.kill(name)));
      expectUnknown(await answer);
      release();
      await runs.restart(runs.executors);
      expectUnknown(await runs.execute(title));
      expect(runs.sentTimes(title)).toBe(1);
    },
    LAPSED_MS * 2,
  );
}
