// Shapes: local; in full: processes
import { eventually } from './support/eventually.js';
import { type HeldRuns, heldRuns } from './support/runs.js';
import { shared } from './support/shared.js';

/** Maximum time in milliseconds in which a process that shuts down completes its requests. */
const DRAIN_MS = 19_000;
/** The processes to terminate. In a single process the gateway and the executor are the same, and it can be terminated only once. */
const ASKED = shared().shape === 'processes' ? (['executors', 'gateways'] as const) : (['executors'] as const);

let runs: HeldRuns;
beforeAll(async () => {
  runs = await heldRuns();
});
afterAll(() => runs?.stop());

/** Sends SIGTERM and waits until the processes begin to shut down. `codes` resolves with their exit codes. */
async function terminate(names: string[]): Promise<{ codes: Promise<(number | null)[]> }> {
  const before = drains();
  const codes = Promise.all(names.map((name) => runs.product.kill(name, 'SIGTERM')));
  await eventually(async () => expect(drains()).toBe(before + names.length));
  return { codes };
}

const drains = (): number => runs.product.logs().split('"draining"').length - 1;

describe('SIGTERM while a run is in progress', () => {
  it.each(ASKED)('finishes it and returns its response: to the %s', async (which) => {
    const names = runs[which];
    const release = runs.hold();
    const answer = runs.execute(`drained ${which}`);
    await runs.received(`drained ${which}`);
    const { codes } = await terminate(names);
    release();
    const releasedAt = performance.now();
    expect(await answer).toMatchObject({ status: 200 });
    expect(await codes).toEqual(names.map(() => 0));
    expect(performance.now() - releasedAt).toBeLessThan(DRAIN_MS); // a kept-alive connection does not delay the exit
    await runs.restart(names);
  });

  it('tells a client that keeps its connection to open another one', async () => {
    const release = runs.hold();
    const answer = runs.execute('on a kept connection');
    await runs.received('on a kept connection');
    const { codes } = await terminate(runs[ASKED.at(-1)!]);
    release();
    const { headers } = await answer;
    expect([headers.get('connection'), headers.get('keep-alive')]).toEqual(['close', null]);
    await codes;
    await runs.restart(runs[ASKED.at(-1)!]);
  });

  it.each([
    ['with a key', () => runs.execute],
    ['without a key', () => runs.executeWithoutKey],
  ])('records a run %s after its caller disconnected', async (title, how) => {
    const hangUp = new AbortController();
    const release = runs.hold();
    const gone = how()(title, hangUp.signal).catch(() => 'gone');
    await runs.received(title);
    hangUp.abort();
    expect(await gone).toBe('gone');
    const { codes } = await terminate(runs.executors);
    release();
    const releasedAt = performance.now();
    expect(await codes).toEqual(runs.executors.map(() => 0));
    expect(performance.now() - releasedAt).toBeLessThan(DRAIN_MS); // an unused connection does not delay the exit
    await runs.restart(runs.executors);
    expect(await runs.logged(title)).toMatchObject([{ status: 'success' }]);
  });

  it.each(ASKED)(
    'waits 20 s for a provider, reports an unknown outcome to calls without a key, and exits with 0: to the %s',
    async (which) => {
      runs.provider.on('*', { hang: true });
      const [title, keyed] = [`cut off ${which}`, `cut off ${which}, with a key`];
      const answer = runs.executeWithoutKey(title);
      const cutOff = runs.execute(keyed).catch(() => undefined);
      await Promise.all([title, keyed].map(runs.received));
      const { codes } = await terminate(runs[which]);
      const { status, body } = await answer;
      expect({ status, details: body.details }).toEqual({
        status: 400,
        details: { reason: 'outcome_unknown', retryable: false },
      });
      expect(await codes).toEqual(runs[which].map(() => 0));
      await cutOff;
      await runs.restart(runs[which]);
    },
  );
});
