import { repeat } from '@drawbridge/events';
import { type Background, type Logger } from '@drawbridge/rpc';
import { type Pool } from 'pg';
import { sweepClaims } from './claims.js';
import { type Leases } from './idempotency-key.js';

const EVERY_MS = 15_000;

interface Sweeping {
  pool: Pool;
  leases: Leases;
  log: Logger;
}

/**
 * Records the runs of processes that exited as OUTCOME_UNKNOWN. Otherwise such a run would appear in the run log only after another request with its
 * idempotency key.
 */
export function sweeper({ pool, leases, log }: Sweeping): Background {
  return repeat({ name: 'settling lapsed runs', everyMs: EVERY_MS, log }, (_stopping, aside) =>
    sweepClaims(pool, leases, aside),
  );
}
