import { type Background, untilDeadline } from '@drawbridge/rpc';

/** Runs go on when their caller has gone, so nobody else knows of them when the process is asked to end. */
export function runsUnderWay(): Background & { track<T>(run: Promise<T>): Promise<T> } {
  const runs = new Set<Promise<unknown>>();
  return {
    track(run) {
      runs.add(run);
      const forget = (): void => void runs.delete(run);
      run.then(forget, forget);
      return run;
    },
    start: () => undefined,
    stop: async (deadline) => {
      await untilDeadline(Promise.allSettled(runs), deadline);
    },
  };
}
