import { setTimeout as sleep } from 'node:timers/promises';
import { shared } from './shared.js';

const CACHED_MS = 1_100;

/** Waits until no process uses the former state of a configured integration, which each of them caches for a second. A single process has no former state. */
export async function untilCachesExpire(): Promise<void> {
  if (shared().shape === 'processes') await sleep(CACHED_MS);
}
