import { type Pool } from 'pg';
import { type IdempotencyKey } from './request-hash.js';
import { type Run } from '../run-log/record.js';

const LEASE_MS = 15_000;
const RENEW_MS = 5_000;

const RENEW = {
  name: 'renew-claim',
  text: `
    UPDATE execution.claims SET lease_until = now() + interval '15 seconds'
    WHERE org_id = $1 AND key = $2 AND execution_id = $3 AND outcome IS NULL`,
};

/** The right to run under a key. When the lease lapses, other processes assume that this process died. */
export interface Lease {
  /** Returns the end in milliseconds of `performance.now()`. Each renewal extends it. */
  endsAt(): number;
  release(): void;
}

/** The leases of the runs in this process. */
export interface Leases {
  /** Renews the lease of a new claim until it is released. */
  hold(key: IdempotencyKey, run: Run): Lease;
  /** Returns whether this process runs the execution. Its outcome is or becomes known, even if the lease has lapsed. */
  has(executionId: string): boolean;
}

export function leases(pool: Pool): Leases {
  const held = new Set<string>();
  return {
    has: (executionId) => held.has(executionId),
    hold({ orgId, key }, { id }) {
      let endsAt = performance.now() + LEASE_MS;
      const renew = async (): Promise<void> => {
        const askedAt = performance.now();
        const { rowCount } = await pool.query({ ...RENEW, values: [orgId, key, id] });
        if (rowCount === 1) endsAt = askedAt + LEASE_MS;
      };
      // A failed renewal is retried. If all fail, the lease lapses and waiters get OUTCOME_UNKNOWN.
      const timer = setInterval(() => void renew().catch(() => undefined), RENEW_MS);
      held.add(id);
      const release = (): void => {
        clearInterval(timer);
        held.delete(id);
      };
      return { endsAt: () => endsAt, release };
    },
  };
}
