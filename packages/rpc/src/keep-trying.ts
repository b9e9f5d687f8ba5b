import { setTimeout as sleep } from 'node:timers/promises';

interface Patience {
  /** An attempt that starts after this time (by `performance.now()`) is the last attempt. */
  until: number;
  pauseMs: number;
  /** Returns whether the failure may be temporary. Default: every failure may be temporary. */
  mayPass?: (error: unknown) => boolean;
  /** Called with each failure except the last. */
  failed?: (error: unknown) => void;
}

/** Repeats `work` until it succeeds or `until` has passed. Rejects with the error of the last attempt. */
export async function keepTrying<T>(
  { until, pauseMs, mayPass = () => true, failed }: Patience,
  work: () => Promise<T>,
): Promise<T> {
  for (;;) {
    // Compares the start of the attempt, not the time of its failure. Otherwise a process that was suspended during the attempt would not retry after
    // it resumes.
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
