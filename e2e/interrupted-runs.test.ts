// Shapes: none; in full: processes
import { type Answer, apiOf } from './support/api.js';
import { eventually } from './support/eventually.js';
import { expectError } from './support/expect.js';
import { type HeldRuns, heldRuns } from './support/runs.js';

/** The lease of a run in a killed process expires after 15 s. The sweep that finds runs without a waiting caller runs every 15 s. */
const SETTLED_MS = 45_000;
const titles = ['a', 'b', 'c', 'd', 'e', 'f'];

let runs: HeldRuns;
beforeAll(async () => {
  runs = await heldRuns();
});
afterAll(() => runs?.stop());

/** Repeats the call while the response is 503. */
function insist(title: string): Promise<Answer> {
  return eventually(async () => {
    const answer = await runs.execute(title);
    if (answer.status === 503) throw new Error(`${title}: ${JSON.stringify(answer.body)}`);
    return answer;
  }, SETTLED_MS);
}

async function killAndRestart(names: string[]): Promise<void> {
  await Promise.all(names.map((name) => runs.product.kill(name)));
  await runs.restart(names);
}

describe('a process that is killed while the provider works', () => {
  let interrupted: string[];
  let answers: Map<string, Answer>;

  it(
    'answers outcome_unknown to every waiting or repeated call of its runs',
    async () => {
      const { executors, product } = runs;
      const release = runs.hold();
      const firsts = titles.map((title) => runs.execute(title).catch(() => undefined));
      await Promise.all(titles.map(runs.received));
      const waiters = titles.map(insist);
      // The killed process is restarted only after its runs have an outcome, so the second executor must record it.
      await product.kill(executors[0]!);
      release();

      const ended = await Promise.all(firsts);
      interrupted = titles.filter((_title, index) => ended[index]?.status !== 200);
      const answered = await Promise.all(waiters);
      answers = new Map(titles.map((title, index) => [title, answered[index]!]));
      await runs.restart(executors.slice(0, 1));

      expect(interrupted).not.toEqual([]);
      for (const title of interrupted) {
        expectError(answers.get(title)!, 400, 'ACTION_FAILED');
        expect(answers.get(title)!.body.details).toEqual({ reason: 'outcome_unknown', retryable: false });
      }
    },
    SETTLED_MS * 2,
  );

  it('does not affect the runs of another process', () => {
    const others = titles.filter((title) => !interrupted.includes(title));
    expect(others).not.toEqual([]); // the second process executes half of the calls
    expect(others.map((title) => answers.get(title)!.status)).toEqual(others.map(() => 200));
  });

  it('never sends a run twice, and returns the same response from then on', async () => {
    for (const title of titles) {
      const again = await insist(title);
      expect(again.headers.get('idempotent-replayed')).toBe('true');
      expect(again.body).toEqual(answers.get(title)!.body);
      expect(runs.sentTimes(title)).toBe(1);
    }
  });

  it('leaves one run log entry and one event for each run', async () => {
    for (const title of titles) expect(await runs.logged(title)).toHaveLength(1);
    for (const title of interrupted) {
      const error = { code: 'ACTION_FAILED', details: { reason: 'outcome_unknown' } };
      expect(await runs.logged(title)).toMatchObject([{ status: 'failed', error, output: null }]);
    }
    await eventually(async () => {
      const { usage } = (await runs.api.get('/api/v1/organization')).body;
      expect(usage.actionsThisMonth).toBe(titles.length);
    }, SETTLED_MS);
  });

  it(
    'has its run logged, even if no call repeats it',
    async () => {
      const release = runs.hold();
      void runs.execute('alone').catch(() => undefined);
      await runs.received('alone');
      await killAndRestart(runs.executors);
      release();
      await eventually(
        async () => expect(await runs.logged('alone')).toMatchObject([{ status: 'failed' }]),
        SETTLED_MS,
      );
      expect(runs.sentTimes('alone')).toBe(1);
    },
    SETTLED_MS * 2,
  );

  it('answers outcome_unknown at once to calls without a key, and never as retryable', async () => {
    const release = runs.hold();
    const answers = ['e', 'f', 'g', 'h'].map((title) => runs.executeWithoutKey(`keyless ${title}`));
    await Promise.all(['e', 'f', 'g', 'h'].map((title) => runs.received(`keyless ${title}`)));
    await Promise.all(runs.executors.map((name) => runs.product.kill(name)));
    release();
    for (const answer of await Promise.all(answers)) {
      expectError(answer, 400, 'ACTION_FAILED');
      expect(answer.body.details).toEqual({ reason: 'outcome_unknown', retryable: false });
    }
    expectError(await runs.executeWithoutKey('no executor'), 503, 'UNAVAILABLE');
    await runs.restart(runs.executors);
    expect(runs.sentTimes('no executor')).toBe(0);
  });

  it('answers outcome_unknown also to a key that was revoked during the run', async () => {
    const { apiKey, plainKey } = (await runs.api.post('/api/v1/api-keys', { name: 'Revoked' })).body;
    const release = runs.hold();
    const revoked = apiOf(runs.product.baseUrl, plainKey);
    const asked = revoked.post('/api/v1/actions/execute', runs.bodyOf('revoked', 'revoked'));
    await runs.received('revoked');
    expect((await runs.api.delete(`/api/v1/api-keys/${apiKey.id}`)).status).toBe(200);
    await Promise.all(runs.executors.map((name) => runs.product.kill(name)));
    release();
    const answer = await asked;
    expectError(answer, 400, 'ACTION_FAILED');
    expect(answer.body.details).toEqual({ reason: 'outcome_unknown', retryable: false });
    await runs.restart(runs.executors);
  });
});
