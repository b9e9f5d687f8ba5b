import { setTimeout as sleep } from 'node:timers/promises';
import { ApiError, invalid, notFound } from '@drawbridge/contracts';
import { type PutAside } from '@drawbridge/events';
import { type Pool } from 'pg';
import { type IdempotencyKey, type Leases } from './idempotency-key.js';
import { OUTCOME_UNKNOWN, type Outcome } from '../run-log/outcome.js';
import { type Run, settleClaim } from '../run-log/record.js';

const POLL_MS = 50;
const WAIT_MS = 30_000;

const FIND = {
  name: 'find-claim',
  text: `SELECT request_hash, execution_id, run, outcome, lease_until < now() AS lapsed
         FROM execution.claims WHERE org_id = $1 AND key = $2 AND expires_at > now()`,
};

// A claim reserves an idempotency key for one run. It expires 24 hours after it was created. The next request with the same key overwrites an expired
// claim.
const ACQUIRE = {
  name: 'take-claim',
  text: `
    WITH place AS MATERIALIZED (SELECT execution.workspace_lives($4::uuid) AS lives),
    taken AS (
      INSERT INTO execution.claims (org_id, key, request_hash, workspace_id, execution_id, run, lease_until, expires_at)
      SELECT $1::uuid, $2, $3, $4::uuid, $5::uuid, $6::json, now() + interval '15 seconds', now() + interval '24 hours'
      FROM place WHERE lives
      ON CONFLICT (org_id, key) DO UPDATE SET
        request_hash = excluded.request_hash, workspace_id = excluded.workspace_id, execution_id = excluded.execution_id,
        run = excluded.run, outcome = NULL, lease_until = excluded.lease_until, expires_at = excluded.expires_at
      WHERE claims.expires_at <= now()
      RETURNING 1)
    SELECT lives, EXISTS (SELECT FROM taken) AS taken FROM place`,
};

const LAPSED = `
  SELECT execution_id AS id, key, run FROM execution.claims
  WHERE outcome IS NULL AND lease_until < now() AND execution_id <> ALL ($1::uuid[]) ORDER BY lease_until LIMIT 100`;

const RELEASE = 'DELETE FROM execution.claims WHERE org_id = $1 AND key = $2 AND execution_id = $3 AND outcome IS NULL';
// Deleting a claim is retried for as long as its lease lasts (15 s). After that, the claim has lapsed, and the run is recorded as OUTCOME_UNKNOWN.
const RELEASE_PAUSE_MS = 250;
const RELEASE_TRIES = 60;

export interface StoredAnswer {
  executionId: string;
  outcome: Outcome;
}

/** The format in which a claim stores its run: the input is JSON and not a string. */
type StoredRun = Omit<Run, 'inputJson'> & { input: unknown };

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

/**
 * Claims the idempotency key for this run, so that no other run executes the same request. Returns false if the key is already claimed. Throws
 * NOT_FOUND if the workspace was deleted.
 */
export async function acquireClaim(
  pool: Pool,
  { orgId, key, requestHash }: IdempotencyKey,
  run: Run,
): Promise<boolean> {
  const values = [orgId, key, requestHash, run.workspaceId, run.id, JSON.stringify(toStored(run))];
  const taking = pool.query<{ lives: boolean; taken: boolean }>({ ...ACQUIRE, values });
  const { rows } = await taking.catch((error: unknown) => {
    // The claim may be committed although the database connection failed before the response arrived. It would block the key, so it is deleted.
    void releaseClaim(pool, { orgId, key }, run);
    throw error;
  });
  if (!rows[0]?.lives) throw notFound('Workspace', run.workspaceId);
  return rows[0].taken;
}

/** Deletes the claim of a run that never started, so that another request can use the key. Retries for 15 s and never rejects. */
export async function releaseClaim(
  pool: Pool,
  { orgId, key }: Pick<IdempotencyKey, 'orgId' | 'key'>,
  { id }: Pick<Run, 'id'>,
): Promise<void> {
  for (let tries = 0; tries < RELEASE_TRIES; tries += 1) {
    try {
      return void (await pool.query(RELEASE, [orgId, key, id]));
    } catch {
      await sleep(RELEASE_PAUSE_MS, undefined, { ref: false });
    }
  }
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

function toStored({ inputJson, ...run }: Run): StoredRun {
  return { ...run, input: JSON.parse(inputJson) };
}

function settleLapsed(pool: Pool, { input, ...run }: StoredRun, key: string): Promise<boolean> {
  const lapsed = { ...run, inputJson: JSON.stringify(input) };
  return settleClaim(pool, lapsed, { key, outcome: OUTCOME_UNKNOWN, onlyExpired: true });
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
