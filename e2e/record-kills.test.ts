// Shapes: none; in full: local
import { setTimeout as sleep } from 'node:timers/promises';
import { eventually } from './support/eventually.js';
import { sendAnew, workersOf } from './support/process-group.js';
import { type HeldRuns, heldRuns } from './support/runs.js';
import { allExecutions } from './support/pages.js';

/** The number of kills. `RECORD_KILLS=30` repeats the kill more often. */
const KILLS = Number(process.env['RECORD_KILLS'] ?? 3);
const PROCESSES = 2;
const IN_FLIGHT = 16;
/** Milliseconds between the calls of one caller, which leave processor time for the process that replaces the killed process. */
const PAUSE_MS = 20;
/** Time under load before each kill, in milliseconds. It is long enough that the killed process is recording several runs. */
const BETWEEN_MS = 400;

let runs: HeldRuns;
beforeAll(async () => {
  runs = await heldRuns({ env: { WEB_CONCURRENCY: String(PROCESSES) } });
  runs.provider.on('*', { status: 201, body: { number: 1 } });
});
afterAll(() => runs?.stop());

const answered: string[] = [];
const unanswered: string[] = [];
let isOver = false;

/** Makes calls in sequence, each with a separate key. A call is not repeated if its connection is lost. */
async function load(position: number): Promise<void> {
  for (let call = 0; !isOver; call++) {
    const title = `${position}-${call}`;
    const body = runs.bodyOf(title, title);
    const headers = { authorization: `Bearer ${runs.product.key}` };
    const url = `${runs.product.baseUrl}/api/v1/actions/execute`;
    const answer = await sendAnew(url, { method: 'POST', headers, body }).catch(() => undefined);
    (answer?.status === 200 ? answered : unanswered).push(title);
    await sleep(PAUSE_MS);
  }
}

const groupIsWhole = (): Promise<void> =>
  eventually(async () => {
    expect(workersOf(runs.product.processes()['drawbridge']!)).toHaveLength(PROCESSES);
    expect(runs.product.logs().split('a worker process was replaced')).toHaveLength(kills + 1);
  }, 60_000);

let kills = 0;

it(
  `loses no answered call and sends none twice when a process is killed ${KILLS} times during recordings`,
  async () => {
    const loads = Array.from({ length: IN_FLIGHT }, (_, position) => load(position));
    while (kills < KILLS) {
      await sleep(BETWEEN_MS);
      const [victim] = workersOf(runs.product.processes()['drawbridge']!);
      process.kill(victim!, 'SIGKILL');
      kills++;
      await groupIsWhole();
    }
    isOver = true;
    await Promise.all(loads);

    expect(answered.length).toBeGreaterThan(KILLS * IN_FLIGHT);
    const logged = new Set((await allExecutions(runs.api)).map(({ input }) => input.title));
    expect(answered.filter((title) => !logged.has(title))).toEqual([]);
    const sent = runs.provider.requests.map(({ body }) => body?.title).filter(Boolean);
    expect(sent.length).toBe(new Set(sent).size);
    expect(answered.filter((title) => !sent.includes(title))).toEqual([]);
    // A kill interrupts at most one call of each caller, because each caller makes its calls in sequence.
    expect(unanswered.length).toBeLessThanOrEqual(KILLS * IN_FLIGHT);
  },
  120_000 + KILLS * 30_000,
);
