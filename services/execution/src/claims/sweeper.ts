import { repeat } from '@drawbridge/events';
import { type Background } from '@drawbridge/rpc';
import { type Pipeline } from '../pipeline/pipeline.js';
import { sweepClaims } from './claims.js';

const EVERY_MS = 15_000;

/**
 * Records the runs of processes that exited as OUTCOME_UNKNOWN. Otherwise such a run would appear in the run log only after another request with its
 * idempotency key.
 */
export function sweeper({ pool, leases, log }: Pick<Pipeline, 'pool' | 'leases' | 'log'>): Background {
  return repeat({ name: 'settling lapsed runs', everyMs: EVERY_MS, log }, (_stopping, aside) =>
    sweepClaims(pool, leases, aside),
  );
}
