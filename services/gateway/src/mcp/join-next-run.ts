import { detached } from '@drawbridge/rpc';

interface Run {
  current: Promise<void>;
  /** The run after the current one. It has not begun, so more calls may join it. */
  next?: Promise<void>;
}

/**
 * Returns a function that runs `work` for a key, never twice at the same time. Calls that arrive during a run share the run after it, so that a call
 * is never answered by a run that began before the call. A run takes at most `limitMs`, and ends even if the caller that began it disconnects. `rest`
 * is passed to `work`, and must always be the same for the same key.
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
    const end = (): void => void (run.next ?? runs.delete(key));
    current.then(end, end);
    return current;
  }

  return (key, ...rest) => {
    const run = runs.get(key);
    if (!run) return begin(key, rest);
    const beginNext = (): Promise<void> => begin(key, rest);
    run.next ??= run.current.then(beginNext, beginNext);
    return run.next;
  };
}
