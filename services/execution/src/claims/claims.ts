import { setTimeout as sleep } from 'node:timers/promises';
import { ApiError, invalid } from '@drawbridge/contracts';
import { type PutAside, together } from '@drawbridge/events';
import { type Pool } from 'pg';
import { type IdempotencyKey, type Leases, type StoredRun } from './idempotency-key.js';
import { settleExpired } from './write-claims.js';
import { OUTCOME_UNKNOWN, type Outcome } from '../run-log/outcome.js';
import { MOST_AT_ONCE } from '../run-log/record.js';

const POLL_MS = 50;
const WAIT_MS = 30_000;

const FIND = {
  name: 'find-claim',
  text: `SELECT request_hash, execution_id, run, outcome, lease_until < now() AS lapsed
         FROM execution.claims WHERE org_id = $1 AND key = $2 AND expires_at > now()`,
};

const LAPSED = `
  SELECT execution_id AS id, key, run FROM execution.claims
  WHERE outcome IS NULL AND lease_until < now() AND execution_id <> ALL ($1::uuid[]) ORDER BY lease_until LIMIT 100`;

const CLAIMED = {
  name: 'find-claims',
  text: `
    SELECT position::int FROM unnest($1::uuid[], $2::text[]) WITH ORDINALITY AS wanted(org_id, key, position)
    CROSS JOIN LATERAL (
      SELECT FROM execution.claims AS c WHERE c.org_id = wanted.org_id AND c.key = wanted.key AND expires_at > now() OFFSET 0) AS claim`,
};

export interface StoredAnswer {
  executionId: string;
  outcome: Outcome;
}

export interface ClaimRow {
  request_hash: string;
  execution_id: string;
  run: StoredRun;
  outcome: Outcome | null;
  lapsed: boolean;
}

/** Polls claims on behalf of requests that wait for the result of another run with the same idempotency key. */
export interface ClaimPoller {
  pool: Pool;
  leases: Leases;
  /** Returns whether the key is claimed. Requests that arrive at the same time share one query. It reads no stored results, which can be large. */
  isClaimed(key: IdempotencyKey): Promise<boolean>;
  nextPoll(key: IdempotencyKey): Promise<ClaimRow | undefined>;
}

/**
 * Returns the stored result of an idempotency key, or undefined if the key is free. Waits up to 30 s if another run owns the key. Throws
 * VALIDATION_ERROR if the key was used with a different request, DUPLICATE (in_progress) if the wait times out, and TIMEOUT if the signal aborts.
 */
export async function findStoredAnswer(
  poller: ClaimPoller,
  key: IdempotencyKey,
  signal: AbortSignal,
): Promise<StoredAnswer | undefined> {
  if (!(await poller.isClaimed(key))) return undefined;
  let claim = await find(poller.pool, key);
  if (!claim) return undefined;
  const giveUpAt = performance.now() + WAIT_MS;
  const aborted = rejectOnAbort(signal);
  for (; claim; claim = await Promise.race([poller.nextPoll(key), aborted])) {
    if (claim.request_hash !== key.requestHash) {
      throw invalid({ idempotencyKey: 'was already used with a different request. Use a new key' });
    }
    if (claim.outcome) return { executionId: claim.execution_id, outcome: claim.outcome };
    // The wait also ends for a lapsed claim, because a claim cannot be settled while its workspace is being deleted.
    if (performance.now() > giveUpAt) throw inProgress();
    if (claim.lapsed && !poller.leases.has(claim.execution_id)) await settleLapsed(poller.pool, claim.run, key.key);
  }
  return undefined;
}

/** Returns a poller that reads the claim of each key every 50 ms. All requests in this process that wait for one key share one query. */
export function claimPoller(pool: Pool, leases: Leases): ClaimPoller {
  const next = new Map<string, Promise<ClaimRow | undefined>>();
  return {
    pool,
    leases,
    isClaimed: together(MOST_AT_ONCE, async (keys: readonly IdempotencyKey[]) => {
      const values = [keys.map(({ orgId }) => orgId), keys.map(({ key }) => key)];
      const { rows } = await pool.query<{ position: number }>({ ...CLAIMED, values });
      const claimed = new Set(rows.map(({ position }) => position - 1));
      return keys.map((_, at) => claimed.has(at));
    }),
    nextPoll(key) {
      const id = `${key.orgId} ${key.key}`;
      const planned =
        next.get(id) ??
        sleep(POLL_MS).then(() => {
          next.delete(id); // Later callers use the next poll, because this poll may read a state from before their request.
          return find(pool, key);
        });
      next.set(id, planned);
      return planned;
    },
  };
}

/** Settles lapsed claims, which belong to processes that exited: records their runs as OUTCOME_UNKNOWN. */
export async function sweepClaims(pool: Pool, leases: Leases, aside: PutAside): Promise<void> {
  const { rows } = await pool.query<{ id: string; key: string; run: StoredRun }>(LAPSED, [aside.keys()]);
  for (const { id, key, run } of rows.filter(({ id }) => !leases.has(id))) {
    await aside.attempt(id, async () => settleLapsed(pool, run, key));
  }
}

export async function readStoredAnswer(pool: Pool, key: IdempotencyKey): Promise<StoredAnswer | undefined> {
  const claim = await find(pool, key);
  return claim?.outcome ? { executionId: claim.execution_id, outcome: claim.outcome } : undefined;
}

async function find(pool: Pool, { orgId, key }: IdempotencyKey): Promise<ClaimRow | undefined> {
  const { rows } = await pool.query<ClaimRow>({ ...FIND, values: [orgId, key] });
  return rows[0];
}

function settleLapsed(pool: Pool, { input, ...run }: StoredRun, key: string): Promise<boolean> {
  return settleExpired(pool, { ...run, inputJson: JSON.stringify(input) }, key, OUTCOME_UNKNOWN);
}

function inProgress(): ApiError {
  return new ApiError('DUPLICATE', 'A run with this idempotency key is still in progress', {
    details: { reason: 'in_progress', retryAfter: 5 },
  });
}

/** Returns a promise that rejects with TIMEOUT when the signal aborts, and never resolves. */
function rejectOnAbort(signal: AbortSignal): Promise<never> {
  const left = new Promise<never>((_resolve, reject) => {
    const leave = (): void =>
      reject(
        new ApiError('TIMEOUT', 'The request was canceled while it waited for the run with the same idempotency key'),
      );
    if (signal.aborted) leave();
    else signal.addEventListener('abort', leave, { once: true });
  });
  left.catch(() => undefined); // Prevents an unhandled rejection after the last waiting request has its result.
  return left;
}
