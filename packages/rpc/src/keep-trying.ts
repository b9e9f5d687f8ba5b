import { setTimeout as sleep } from 'node:timers/promises';

interface Patience {
  /** By performance.now(): what fails later is not tried again. */
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
    try {
      return await work();
    } catch (error) {
      if (performance.now() > until || !mayPass(error)) throw error;
      failed?.(error);
      await sleep(pauseMs);
    }
  }
}
