import { type Background, describeError, untilDeadline } from '@drawbridge/rpc';
import { newBell } from './bell.js';
import { type Log } from './bus.js';

interface Repeated {
  /** For the log: what fails when it does. */
  name: string;
  everyMs: number;
  log: Log;
}

/**
 * Does `work` over and over, one turn after the other and never two at once: `everyMs` after the last one, and sooner when
 * rung. A turn that fails is logged, and tried again. The end waits for the turn at hand until its deadline.
 */
export function repeating(
  { name, everyMs, log }: Repeated,
  work: () => Promise<unknown>,
): Background & { ring(): void } {
  const bell = newBell();
  let stopped = false;
  let running = Promise.resolve();

  async function run(): Promise<void> {
    while (!stopped) {
      await work().catch((error: unknown) => {
        if (!stopped) log.warn({ work: name, error: describeError(error) }, 'background work failed; trying again');
      });
      if (!stopped) await bell.wait(everyMs);
    }
  }

  return {
    start: () => void (running = run()),
    ring: () => bell.ring(),
    async stop(deadline) {
      stopped = true;
      bell.ring();
      await untilDeadline(running, deadline);
    },
  };
}
