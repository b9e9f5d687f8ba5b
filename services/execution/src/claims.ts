import { setTimeout as sleep } from 'node:timers/promises';
import { ApiError, invalid } from '@drawbridge/contracts';
import { type Pool } from 'pg';
import { type Leases } from './lease.js';
import { OUTCOME_UNKNOWN, type Outcome } from './outcome.js';
import { type Run, settleClaim } from './record.js';

const POLL_MS = 50;
const WAIT_MS = 30_000;

const FIND = {
  name: 'find-claim',
  text: `SELECT request_hash, execution_id, run, outcome, lease_until < now() AS lapsed
         FROM execution.claims WHERE org_id = $1 AND key = $2 AND expires_at > now()`,
};

// A key whose 24 hours are over is free again.
const TAKE = {
  name: 'take-claim',
  text: `
    INSERT INTO execution.claims (org_id, key, request_hash, workspace_id, execution_id, run, lease_until, expires_at)
    VALUES ($1, $2, $3, $4, $5, $6, now() + interval '15 seconds', now() + interval '24 hours')
    ON CONFLICT (org_id, key) DO UPDATE SET
      request_hash = excluded.request_hash, workspace_id = excluded.workspace_id, execution_id = excluded.execution_id,
      run = excluded.run, outcome = NULL, lease_until = excluded.lease_until, expires_at = excluded.expires_at
    WHERE claims.expires_at <= now()`,
};

/** An idempotency key within its organization, and the request that came with it. */
export interface Key {
  orgId: string;
  key: string;
  requestHash: string;
}

export interface Stored {
  executionId: string;
  outcome: Outcome;
}

interface ClaimRow {
  request_hash: string;
  execution_id: string;
  run: Run;
  outcome: Outcome | null;
  lapsed: boolean;
}

/**
 * The stored answer of this key; undefined where the key is free. While a run holds it, waits up to 30 s.
 * Fails with VALIDATION_ERROR when the key came with another request, DUPLICATE (in_progress) when the wait was too short.
 */
export async function findStored(
  { pool, leases }: { pool: Pool; leases: Leases },
  key: Key,
  signal: AbortSignal,
): Promise<Stored | undefined> {
  const giveUpAt = Date.now() + WAIT_MS;
  for (;;) {
    const claim = await find(pool, key);
    if (!claim) return undefined;
    if (claim.request_hash !== key.requestHash) {
      throw invalid({ idempotencyKey: 'was used with another request; take a new key' });
    }
    if (claim.outcome) return { executionId: claim.execution_id, outcome: claim.outcome };
    if (claim.lapsed && !leases.has(claim.execution_id)) await settleLapsed(pool, claim.run, key.key);
    else if (Date.now() > giveUpAt) throw inProgress();
    else await pause(signal);
  }
}

/** True when the key is ours now, committed: from here on the run happens at most once. */
export async function takeClaim(pool: Pool, { orgId, key, requestHash }: Key, run: Run): Promise<boolean> {
  const values = [orgId, key, requestHash, run.workspaceId, run.id, JSON.stringify(run)];
  const { rowCount } = await pool.query({ ...TAKE, values });
  return rowCount === 1;
}

/** Settles what processes that died left behind, and frees keys whose time is over. */
export async function sweepClaims(pool: Pool, leases: Leases): Promise<void> {
  const { rows } = await pool.query<{ key: string; run: Run }>(
    'SELECT key, run FROM execution.claims WHERE outcome IS NULL AND lease_until < now() LIMIT 100',
  );
  for (const { key, run } of rows.filter(({ run }) => !leases.has(run.id))) await settleLapsed(pool, run, key);
  await pool.query('DELETE FROM execution.claims WHERE expires_at <= now()');
}

export async function readStored(pool: Pool, key: Key): Promise<Stored | undefined> {
  const claim = await find(pool, key);
  return claim?.outcome ? { executionId: claim.execution_id, outcome: claim.outcome } : undefined;
}

async function find(pool: Pool, { orgId, key }: Key): Promise<ClaimRow | undefined> {
  const { rows } = await pool.query<ClaimRow>({ ...FIND, values: [orgId, key] });
  return rows[0];
}

function settleLapsed(pool: Pool, run: Run, key: string): Promise<boolean> {
  return settleClaim(pool, run, { key, outcome: OUTCOME_UNKNOWN, onlyExpired: true });
}

function inProgress(): ApiError {
  return new ApiError('DUPLICATE', 'A run with this idempotency key is still in progress', {
    details: { reason: 'in_progress', retryAfter: 5 },
  });
}

async function pause(signal: AbortSignal): Promise<void> {
  await sleep(POLL_MS, undefined, { signal }).catch((cause: unknown) => {
    throw new ApiError('TIMEOUT', 'The caller left before the run with this key ended', { cause });
  });
}
