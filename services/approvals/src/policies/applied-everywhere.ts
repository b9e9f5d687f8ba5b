import { setTimeout as sleep } from 'node:timers/promises';
import { POLICY_STALENESS_MS } from '@drawbridge/contracts';

/** Timers and the clocks of two machines differ by less. */
const MARGIN_MS = 20;

/** Resolves when every replica applies what was committed before the call: nothing that it knows of policies is older. */
export async function appliedEverywhere(): Promise<void> {
  await sleep(POLICY_STALENESS_MS + MARGIN_MS);
}
