import { setTimeout as sleep } from 'node:timers/promises';

interface Patience {
  /** By performance.now(). An attempt that begins later is the last. */
  until: number;
  pauseMs: number;
  /** Returns whether a failure may be temporary. Absent: every failure may be. */
  mayPass?: (error: unknown) => boolean;
  /** Called with each failure but the last. */
  failed?: (error: unknown) => void;
}

/** Repeats `work` until it succeeds or `until` has passed. Rejects with the error of the last attempt. */
export async function keepTrying<T>(
  { until, pauseMs, mayPass = () => true, failed }: Patience,
  work: () => Promise<T>,
): Promise<T> {
  for (;;) {
    // Use the start of the attempt, not the time of its failure: a process that was suspended during the attempt has not retried since.
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
