// Shapes: none; in full: local
import { setTimeout as sleep } from 'node:timers/promises';
import { eventually } from './support/eventually.js';
import { sendAnew, workersOf } from './support/process-group.js';
import { type HeldRuns, heldRuns } from './support/runs.js';
import { allExecutions } from './support/pages.js';

/** The number of kills. `RECORD_KILLS=30` repeats the kill more often. */
const KILLS = Number(process.env['RECORD_KILLS'] ?? 3);
const IN_FLIGHT = 16;
/** Milliseconds between the calls of one caller, which leave processor time for the process that replaces the killed process. */
const PAUSE_MS = 20;
/** The number of calls that are answered before each kill. The callers are then in different steps of their calls, so a kill meets several of them. */
const BETWEEN = 2 * IN_FLIGHT;

/** The titles of the calls, by their result. */
interface Calls {
  answered: string[];
  unanswered: string[];
  isOver: boolean;
}

/**
 * Makes calls in sequence, each with a separate key. A call is not repeated if its connection is lost. A refused connection, while no process listens,
 * is not a call, because nothing was sent.
 */
async function load({ product, bodyOf }: HeldRuns, calls: Calls, position: number): Promise<void> {
  for (let call = 0; !calls.isOver; call++) {
    const title = `${position}-${call}`;
    const body = bodyOf(title, title);
    const headers = { authorization: `Bearer ${product.key}` };
    const url = `${product.baseUrl}/api/v1/actions/execute`;
    const answer = await sendAnew(url, { method: 'POST', headers, body }).catch(({ code }: { code?: string }) => code);
    if (typeof answer === 'object' && answer.status === 200) calls.answered.push(title);
    else if (answer !== 'ECONNREFUSED') calls.unanswered.push(title);
    await sleep(PAUSE_MS);
  }
}

/** Waits until `BETWEEN` more calls are answered. It counts calls instead of time, because a process that has just started can be slow. */
async function answeredCalls({ answered }: Calls): Promise<void> {
  const goal = answered.length + BETWEEN;
  await eventually(async () => expect(answered.length).toBeGreaterThanOrEqual(goal), 60_000);
}

/** Kills the only process, and starts it again. */
async function killProcess(runs: HeldRuns): Promise<void> {
  await runs.product.kill('drawbridge');
  await runs.restart(['drawbridge']);
}

/** Kills one of two processes, and waits until the first process has replaced it. */
async function killWorker({ product }: HeldRuns, kill: number): Promise<void> {
  const workers = (): number[] => workersOf(product.processes()['drawbridge']!);
  process.kill(workers()[0]!, 'SIGKILL');
  await eventually(async () => {
    expect(workers()).toHaveLength(2);
    expect(product.logs().split('a worker process was replaced')).toHaveLength(kill + 1);
  }, 60_000);
}

describe.each([
  // The start of a product interrupts at most one more call of each caller, because it tests whether its port is free by listening for a moment.
  { processes: 1, kill: killProcess, interrupted: 2 },
  { processes: 2, kill: killWorker, interrupted: 1 },
])(
  'a product with $processes processes, of which one is killed during recordings',
  ({ processes, kill, interrupted }) => {
    let runs: HeldRuns;
    beforeAll(async () => {
      runs = await heldRuns({ env: { WEB_CONCURRENCY: String(processes) } });
      runs.provider.on('*', { status: 201, body: { number: 1 } });
    });
    afterAll(() => runs?.stop());

    it(
      'loses no answered call and sends none twice',
      async () => {
        const calls: Calls = { answered: [], unanswered: [], isOver: false };
        const loads = Array.from({ length: IN_FLIGHT }, (_, position) => load(runs, calls, position));
        try {
          for (let kills = 1; kills <= KILLS; kills++) {
            await answeredCalls(calls);
            await kill(runs, kills);
          }
          await answeredCalls(calls);
        } finally {
          calls.isOver = true;
        }
        await Promise.all(loads);

        const { answered, unanswered } = calls;
        const logged = new Set((await allExecutions(runs.api)).map(({ input }) => input.title));
        expect(answered.filter((title) => !logged.has(title))).toEqual([]);
        const sent = runs.provider.requests.map(({ body }) => body?.title).filter(Boolean);
        expect(sent.length).toBe(new Set(sent).size);
        expect(answered.filter((title) => !sent.includes(title))).toEqual([]);
        // A kill interrupts at most one call of each caller, because each caller makes its calls in sequence.
        expect(unanswered.length).toBeLessThanOrEqual(interrupted * KILLS * IN_FLIGHT);
        expect(unanswered.length).toBeGreaterThan(0);
      },
      120_000 + KILLS * 30_000,
    );
  },
);
