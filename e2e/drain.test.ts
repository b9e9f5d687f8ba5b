// Shapes: local, processes
import { eventually } from './support/eventually.js';
import { type HeldRuns, heldRuns } from './support/runs.js';

/** A process drains for 20 s. */
const DRAINED_MS = 40_000;

let runs: HeldRuns;
beforeAll(async () => {
  runs = await heldRuns();
});
afterAll(() => runs?.stop());

/** Sends SIGTERM and waits until the processes have begun to drain. Their exit codes come when they end. */
async function terminate(names: string[]): Promise<{ codes: Promise<(number | null)[]> }> {
  const before = drains();
  const codes = Promise.all(names.map((name) => runs.product.kill(name, 'SIGTERM')));
  await eventually(async () => expect(drains()).toBe(before + names.length));
  return { codes };
}

const drains = (): number => runs.product.logs().split('"draining"').length - 1;

describe('SIGTERM while a run is in progress', () => {
  it.each([['executors'], ['gateways']] as const)('lets it end and its answer arrive: to the %s', async (which) => {
    const names = runs[which];
    const release = runs.hold();
    const answer = runs.execute(`drained ${which}`);
    await runs.received(`drained ${which}`);
    const { codes } = await terminate(names);
    release();
    expect((await answer).status).toBe(200);
    expect(await codes).toEqual(names.map(() => 0));
    await runs.restart(names);
  });

  it.each([
    ['with a key', () => runs.execute],
    ['without a key', () => runs.executeWithoutKey],
  ])('lets a run %s be recorded whose caller has gone', async (title, how) => {
    const hangUp = new AbortController();
    const release = runs.hold();
    const gone = how()(title, hangUp.signal).catch(() => 'gone');
    await runs.received(title);
    hangUp.abort();
    expect(await gone).toBe('gone');
    const { codes } = await terminate(runs.executors);
    release();
    expect(await codes).toEqual(runs.executors.map(() => 0));
    await runs.restart(runs.executors);
    expect(await runs.logged(title)).toMatchObject([{ status: 'success' }]);
  });

  it(
    'waits 20 s for a provider, then ends with 0 all the same',
    async () => {
      runs.provider.on('*', { hang: true });
      const cutOff = runs.execute('never').catch(() => undefined);
      await runs.received('never');
      const { codes } = await terminate(runs.executors);
      expect(await codes).toEqual(runs.executors.map(() => 0));
      await cutOff;
      await runs.restart(runs.executors);
    },
    DRAINED_MS,
  );

  it.each([['executors'], ['gateways']] as const)(
    'tells who sent no key that the outcome is unknown when the provider is not done by then: to the %s',
    async (which) => {
      runs.provider.on('*', { hang: true });
      const title = `cut off ${which}`;
      const answer = runs.executeWithoutKey(title);
      await runs.received(title);
      const { codes } = await terminate(runs[which]);
      const { status, body } = await answer;
      expect({ status, details: body.details }).toEqual({
        status: 400,
        details: { reason: 'outcome_unknown', retryable: false },
      });
      expect(await codes).toEqual(runs[which].map(() => 0));
      await runs.restart(runs[which]);
    },
    DRAINED_MS,
  );
});
