import { setTimeout as sleep } from 'node:timers/promises';

/** Resolves with `late` after the time, and with `cancelled` when the signal aborts. */
export async function within<T>(ms: number, work: Promise<T>, signal?: AbortSignal): Promise<T | 'late' | 'cancelled'> {
  const timer = new AbortController();
  const stop = (): void => timer.abort();
  if (signal?.aborted) stop();
  signal?.addEventListener('abort', stop, { once: true });
  const late = sleep(ms, 'late' as const, { signal: timer.signal }).catch(() => 'cancelled' as const);
  try {
    return await Promise.race([work, late]);
  } finally {
    signal?.removeEventListener('abort', stop);
    timer.abort();
  }
}
