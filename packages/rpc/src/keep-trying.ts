import { setTimeout as sleep } from 'node:timers/promises';

interface Patience {
  /** By performance.now(): what is begun later is not tried again. */
  until: number;
  pauseMs: number;
  /** Whether what it failed with may pass; absent: anything may. */
  mayPass?: (error: unknown) => boolean;
  /** Hears of each failure that is not the last. */
  failed?: (error: unknown) => void;
}

/** For what is not lost while it is tried. Rejects with what the last attempt failed with. */
export async function keepTrying<T>(
  { until, pauseMs, mayPass = () => true, failed }: Patience,
  work: () => Promise<T>,
): Promise<T> {
  for (;;) {
    // Not when it failed: a process that was stopped meanwhile would not have tried at all since.
    const begun = performance.now();
    try {
      return await work();
    } catch (error) {
      if (begun > until || !mayPass(error)) throw error;
      failed?.(error);
      await sleep(pauseMs);
    }
  }
}
