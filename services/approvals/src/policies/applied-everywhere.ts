import { setTimeout as sleep } from 'node:timers/promises';
import { POLICY_STALENESS_MS } from '@drawbridge/contracts';

/** Covers the inaccuracy of timers and the clock difference between two machines. */
const MARGIN_MS = 20;

/** Resolves when every replica applies all policies that were committed before the call. */
export async function appliedEverywhere(): Promise<void> {
  await sleep(POLICY_STALENESS_MS + MARGIN_MS);
}
