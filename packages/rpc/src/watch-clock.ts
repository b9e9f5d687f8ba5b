import { type Logger } from './log.js';
import { type ReferenceClock } from './reference-clock.js';

const LOOK_MS = 500;

/**
 * Calls `onSkewed` when this machine's clock starts to differ from the reference by more than the tolerance. Logs that, and the recovery. Returns a
 * function that stops the watch.
 */
export function watchClock(clock: ReferenceClock, log: Logger, onSkewed: () => void): () => void {
  let wasSkewed = false;
  const look = (): void => {
    const isSkewed = clock.isSkewed();
    if (isSkewed === wasSkewed) return;
    wasSkewed = isSkewed;
    const skewSeconds = Math.round(clock.skewMs() / 1_000);
    if (!isSkewed) return log.info({ skewSeconds }, 'the clock is right again, calls are taken');
    log.error({ skewSeconds }, "the clock differs from the database's, no calls are taken: synchronize it (NTP)");
    onSkewed();
  };
  const timer = setInterval(look, LOOK_MS).unref();
  return () => clearInterval(timer);
}
