import { detached } from '@drawbridge/rpc';

/** Time after which the next run begins, although the current one has not ended: it may wait for a lock until it fails. */
const SLOW_MS = 500;

interface Run {
  current: Promise<void>;
  /** The run after the current one. It has not begun, so more calls may join it. */
  next?: Promise<void>;
}

/**
 * Returns a function that runs `work` for a key. Calls that arrive during a run share the run after it, so that a call is never answered by a run that
 * began before the call. The next run begins when the current one ends, or after half a second. A run takes at most `limitMs`, and ends even if the
 * caller that began it disconnects. `rest` is passed to `work`, and must always be the same for the same key.
 */
export function joinNextRun<Rest extends unknown[]>(
  limitMs: number,
  work: (key: string, ...rest: Rest) => Promise<unknown>,
): (key: string, ...rest: Rest) => Promise<void> {
  const runs = new Map<string, Run>();

  function begin(key: string, rest: Rest): Promise<void> {
    const current = detached(async () => void (await work(key, ...rest)), limitMs);
    const run: Run = { current };
    runs.set(key, run);
    const end = (): void => {
      if (runs.get(key) === run && !run.next) runs.delete(key);
    };
    current.then(end, end);
    return current;
  }

  return (key, ...rest) => {
    const run = runs.get(key);
    if (!run) return begin(key, rest);
    run.next ??= endedOrSlow(run.current).then(() => begin(key, rest));
    return run.next;
  };
}

/** Resolves when the run has ended, successfully or not, or after SLOW_MS. */
function endedOrSlow(run: Promise<void>): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, SLOW_MS);
    const end = (): void => {
      clearTimeout(timer);
      resolve();
    };
    run.then(end, end);
  });
}
