import { type Background, describeError, untilDeadline } from '@drawbridge/rpc';
import { PutAside } from './put-aside.js';
import { newWakeSignal } from './wake-signal.js';
import { type Log } from './bus.js';

interface Repeated {
  /** For the log: what fails when it does. */
  name: string;
  everyMs: number;
  log: Log;
}

/** `aside`: for the rows that fail by themselves. */
type Work = (stopping: AbortSignal, aside: PutAside) => Promise<unknown>;

export type Repeating = Background & Required<Pick<Background, 'jobs'>> & { wake(): void };

/**
 * Does `work` over and over, one turn after the other and never two at once: `everyMs` after the last one, and sooner when
 * woken. A turn that fails is logged, and tried again. The end waits for the turn at hand until its deadline; a turn of many steps
 * looks at `stopping` before each.
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
        if (!signal.aborted)
          log.warn({ work: name, error: describeError(error) }, 'background work failed; trying again');
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
