import { type Background, describeError, untilDeadline } from '@drawbridge/rpc';
import { newWakeSignal } from './wake-signal.js';
import { type Log } from './bus.js';

interface Repeated {
  /** For the log: what fails when it does. */
  name: string;
  everyMs: number;
  log: Log;
}

/**
 * Does `work` over and over, one turn after the other and never two at once: `everyMs` after the last one, and sooner when
 * woken. A turn that fails is logged, and tried again. The end waits for the turn at hand until its deadline.
 */
export function repeat({ name, everyMs, log }: Repeated, work: () => Promise<unknown>): Background & { wake(): void } {
  const wakeSignal = newWakeSignal();
  let stopped = false;
  let running = Promise.resolve();

  async function run(): Promise<void> {
    while (!stopped) {
      await work().catch((error: unknown) => {
        if (!stopped) log.warn({ work: name, error: describeError(error) }, 'background work failed; trying again');
      });
      if (!stopped) await wakeSignal.wait(everyMs);
    }
  }

  return {
    start: () => void (running = run()),
    wake: () => wakeSignal.wake(),
    async stop(deadline) {
      stopped = true;
      wakeSignal.wake();
      await untilDeadline(running, deadline);
    },
  };
}
