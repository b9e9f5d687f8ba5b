import { type Background, describeError, untilDeadline } from '@drawbridge/rpc';
import { type Log } from './bus.js';
import { PutAside } from './skip-failing-rows.js';

interface Repeated {
  /** The name of the work in the log when it fails. */
  name: string;
  everyMs: number;
  log: Log;
}

/** `aside` is used to skip rows that failed individually. */
type Work = (stopping: AbortSignal, aside: PutAside) => Promise<unknown>;

export type Repeating = Background & Required<Pick<Background, 'jobs'>> & { wake(): void };

/**
 * Runs `work` repeatedly, and never concurrently: `everyMs` after the previous run completed, and earlier after `wake`. A failed run is logged and
 * repeated. `stop` waits for the current run until its deadline. A run of many steps must check `stopping` before each step.
 */
export function repeat({ name, everyMs, log }: Repeated, work: Work): Repeating {
  const wakeSignal = newWakeSignal();
  const stopping = new AbortController();
  const { signal } = stopping;
  const aside = new PutAside({ name, log });
  let running = Promise.resolve();

  async function run(): Promise<void> {
    while (!signal.aborted) {
      await work(signal, aside).catch((error: unknown) => {
        if (!signal.aborted) log.warn({ work: name, error: describeError(error) }, 'background work failed; retrying');
      });
      if (!signal.aborted) await wakeSignal.wait(everyMs);
    }
  }

  return {
    jobs: [{ name, putAside: () => aside.count() }],
    start: () => void (running = run()),
    wake: () => wakeSignal.wake(),
    async stop(deadline) {
      stopping.abort();
      wakeSignal.wake();
      await untilDeadline(running, deadline);
    },
  };
}

/** Returns a wait that `wake` ends early. Without `ms`, only `wake` ends it. If `wake` was called before, the wait ends at once. */
export function newWakeSignal(): { wake(): void; wait(ms?: number): Promise<void> } {
  let isWoken = false;
  let end = () => {};

  return {
    wake() {
      isWoken = true;
      end();
    },
    async wait(ms) {
      if (!isWoken) {
        await new Promise<void>((resolve) => {
          const timer = ms === undefined ? undefined : setTimeout(resolve, ms);
          end = () => {
            clearTimeout(timer);
            resolve();
          };
        });
      }
      isWoken = false;
    },
  };
}
