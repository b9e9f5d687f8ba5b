import { type Pool } from 'pg';
import { type IdempotencyKey } from './idempotency-key.js';
import { type Run } from '../run-log/record.js';

const LEASE_MS = 15_000;
const RENEW_MS = 5_000;

const RENEW = {
  name: 'renew-claim',
  text: `
    UPDATE execution.claims SET lease_until = now() + interval '15 seconds'
    WHERE org_id = $1 AND key = $2 AND execution_id = $3 AND outcome IS NULL`,
};

/** How long others wait for a run before they take its process for dead. */
export interface Lease {
  /** By the clock of `performance.now()`. Moves on with every renewal. */
  endsAt(): number;
  release(): void;
}

/** The claims of this process's own runs. */
export interface Leases {
  /** Keeps the lease of a claim alive that was taken just now. */
  hold(key: IdempotencyKey, run: Run): Lease;
  /** Whether the run lives here: then its lease may have lapsed, but its end is known, or will be. */
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
      // A renewal that fails is tried again; if none gets through, waiters are told that the outcome is unknown.
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
