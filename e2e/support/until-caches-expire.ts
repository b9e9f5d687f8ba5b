import { setTimeout as sleep } from 'node:timers/promises';
import { shared } from './shared.js';

const CACHED_MS = 1_100;

/**
 * Waits until no process uses an outdated configured integration. With separate services, each process caches integrations for a second. A single
 * process has no outdated cache.
 */
export async function untilCachesExpire(): Promise<void> {
  if (shared().shape === 'processes') await sleep(CACHED_MS);
}
