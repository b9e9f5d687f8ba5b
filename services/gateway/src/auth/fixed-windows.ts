import { LRUCache } from 'lru-cache';

export const WINDOW_SECONDS = 60;
const WINDOW_MS = WINDOW_SECONDS * 1_000;
/** Those that were idle longest are forgotten: whoever comes from ever new addresses must not fill the memory. */
const MAX_NAMES = 100_000;

export interface Count {
  used: number;
  /** Epoch milliseconds. */
  endsAt: number;
}

export interface FixedWindows {
  /** Counts one more. */
  add(name: string): Count;
  /** Takes one back that was counted. */
  subtract(name: string): void;
  peek(name: string): Count;
}

/** Counts by name in windows of 60 s, each of which begins with its first count. */
export function fixedWindows(): FixedWindows {
  const windows = new LRUCache<string, { used: number; since: number }>({ max: MAX_NAMES });
  const open = (name: string): { used: number; since: number } => {
    const known = windows.get(name);
    return known && performance.now() - known.since < WINDOW_MS ? known : { used: 0, since: performance.now() };
  };
  return {
    add(name) {
      const window = open(name);
      window.used += 1;
      windows.set(name, window);
      return toCount(window);
    },
    subtract(name) {
      const window = open(name);
      window.used = Math.max(0, window.used - 1);
    },
    peek: (name) => toCount(open(name)),
  };
}

/** The wall clock may be set back while a window is open: it is asked only for what is shown. */
function toCount({ used, since }: { used: number; since: number }): Count {
  return { used, endsAt: Date.now() + since + WINDOW_MS - performance.now() };
}
