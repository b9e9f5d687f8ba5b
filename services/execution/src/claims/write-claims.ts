import { notFound } from '@drawbridge/contracts';
import { arraysOf, columnsOf, type ElementType, insertEvent, together } from '@drawbridge/events';
import { type Pool } from 'pg';
import { afterDeletion } from '../run-log/after-deletion.js';
import { type Outcome } from '../run-log/outcome.js';
import {
  EVENT_AT,
  EVENT_COLUMNS,
  type FinishedRun,
  MOST_AT_ONCE,
  placesOf,
  type Run,
  RUN_COLUMNS,
  RUN_VALUES,
  SELECTED,
  UNNESTED,
  valuesOf,
} from '../run-log/record.js';
import { type IdempotencyKey, releaseClaim, toStored } from './idempotency-key.js';

const COLUMNS = 'org_id, key, request_hash, workspace_id, execution_id, run';
const TIMES = `now() + interval '15 seconds', now() + interval '24 hours'`;

// A claim reserves an idempotency key for one run. It expires 24 hours after it was created. The next request with the same key overwrites an expired
// claim. A run that already has the claim takes it again, because the response of its first commit may have been lost.
const TAKE = {
  name: 'take-claim',
  text: `
    WITH place AS MATERIALIZED (SELECT execution.workspace_lives_now($4::uuid) AS lives),
    taken AS (
      INSERT INTO execution.claims (${COLUMNS}, lease_until, expires_at)
      SELECT $1::uuid, $2, $3, $4::uuid, $5::uuid, $6::json, ${TIMES} FROM place WHERE lives
      ON CONFLICT (org_id, key) DO UPDATE SET
        request_hash = excluded.request_hash, workspace_id = excluded.workspace_id, execution_id = excluded.execution_id,
        run = excluded.run, outcome = NULL, lease_until = excluded.lease_until, expires_at = excluded.expires_at
      WHERE claims.expires_at <= now() OR (claims.execution_id = excluded.execution_id AND claims.outcome IS NULL)
      RETURNING 1)
    SELECT lives, EXISTS (SELECT FROM taken) AS "isWritten" FROM place`,
};

const TYPES: readonly ElementType[] = ['uuid', 'text', 'text', 'uuid', 'uuid', 'text'];

/**
 * Takes several claims in one commit. Takes no key that has a row, even an expired one, because the statement would wait for a transaction that locks
 * the row. Of two runs with the same key, one takes it. `lives` is NULL for a run in a workspace that is being deleted.
 */
const TAKE_ALL = {
  name: 'take-claims',
  text: `
    WITH wanted AS MATERIALIZED (SELECT * FROM unnest(${arraysOf(TYPES)}) AS one(${COLUMNS})),
    places AS MATERIALIZED (${placesOf('wanted')}),
    free AS (
      SELECT DISTINCT ON (org_id, key) * FROM wanted
      WHERE workspace_id IN (SELECT workspace_id FROM places WHERE lives) AND NOT EXISTS (
        SELECT FROM execution.claims AS c WHERE c.org_id = wanted.org_id AND c.key = wanted.key OFFSET 0)
      ORDER BY org_id, key),
    taken AS (
      INSERT INTO execution.claims (${COLUMNS}, lease_until, expires_at)
      SELECT ${COLUMNS.replace('run', 'run::json')}, ${TIMES} FROM free
      ON CONFLICT (org_id, key) DO NOTHING
      RETURNING execution_id)
    SELECT execution_id AS id, lives, execution_id IN (SELECT execution_id FROM taken) AS "isWritten"
    FROM wanted JOIN places USING (workspace_id)`,
};

interface Written {
  /** Null while the workspace is being deleted: nothing was written. */
  lives: boolean | null;
  isWritten: boolean;
}

/** Returns a function that writes a row together with the rows of other calls. `idAt` is the column with the id of the run. */
function group(
  pool: Pool,
  statement: typeof TAKE_ALL,
  { types, idAt }: { types: readonly ElementType[]; idAt: number },
) {
  return together(MOST_AT_ONCE, async (rows: readonly unknown[][]): Promise<Written[]> => {
    const values = columnsOf(rows, types);
    const { rows: written } = await pool.query<Written & { id: string }>({ ...statement, values });
    const byId = new Map(written.map((one) => [one.id, one]));
    return rows.map((row) => byId.get(row[idAt] as string)!);
  });
}

/** Writes a row by itself. It waits for a transaction that locks the row of its key. */
async function writeOne(pool: Pool, statement: typeof TAKE, values: unknown[]): Promise<Written> {
  return (await pool.query<Written>({ ...statement, values })).rows[0]!;
}

/** Repeats `write` while the workspace is being deleted. */
async function whenPossible(write: () => Promise<Written>): Promise<Written> {
  const first = await write();
  return first.lives === null ? afterDeletion(write, ({ lives }) => lives !== null) : first;
}

/**
 * Claims the idempotency key for this run, so that no other run executes the same request. Returns false if the key is already claimed. Throws
 * NOT_FOUND if the workspace was deleted, and UNAVAILABLE if its deletion lasts over 5 s.
 */
export type TakeClaim = (key: IdempotencyKey, run: Run) => Promise<boolean>;

/** Takes the claims of calls that arrive at the same time in one commit, because a commit costs more than a row. */
export function claimTaker(pool: Pool): TakeClaim {
  const takeTogether = group(pool, TAKE_ALL, { types: TYPES, idAt: 4 });
  const take = async (row: unknown[]): Promise<Written> => {
    const first = await takeTogether(row);
    return first.isWritten || !first.lives ? first : writeOne(pool, TAKE, row);
  };
  return async ({ orgId, key, requestHash }, run) => {
    const row = [orgId, key, requestHash, run.workspaceId, run.id, JSON.stringify(toStored(run))];
    const { lives, isWritten } = await whenPossible(() => take(row)).catch((error: unknown) => {
      // The claim may be committed although the database connection failed before the response arrived. It would block the key, so it is deleted.
      void releaseClaim(pool, { orgId, key }, run);
      throw error;
    });
    if (!lives) throw notFound('Workspace', run.workspaceId);
    return isWritten;
  };
}

/** The end of the time for which a result is stored, after its claim was settled. */
const KEPT = `now() + interval '24 hours'`;

const SETTLE = {
  name: 'settle-claim',
  text: `
    WITH place AS MATERIALIZED (SELECT execution.workspace_lives_now($7::uuid) AS lives),
    claim AS (
      UPDATE execution.claims SET outcome = $22::json, expires_at = ${KEPT} FROM place
      WHERE lives AND org_id = $2::uuid AND key = $21 AND execution_id = $1::uuid AND outcome IS NULL
        AND (NOT $23::boolean OR lease_until < now())
      RETURNING 1),
    run AS (INSERT INTO execution.executions (${RUN_COLUMNS}) SELECT ${RUN_VALUES} FROM claim),
    event AS (${insertEvent('execution', { first: EVENT_AT, from: 'claim' })})
    SELECT lives, EXISTS (SELECT FROM claim) AS "isWritten" FROM place`,
};

const SETTLED: readonly ElementType[] = [...UNNESTED, 'text', 'text'];

/**
 * Settles several claims in one commit. Skips a claim that another transaction locks, such as a renewal, because all claims of the statement would
 * wait for it. Also skips a claim that changed since the statement began: its locked version is newer than those that UPDATE sees. `lives` is NULL
 * for a claim of a workspace that is being deleted.
 */
const SETTLE_ALL = {
  name: 'settle-claims',
  text: `
    WITH ended AS MATERIALIZED (
      SELECT * FROM unnest(${arraysOf(SETTLED)}) AS one(${RUN_COLUMNS}, ${EVENT_COLUMNS}, key, outcome)),
    places AS MATERIALIZED (${placesOf('ended')}),
    open AS MATERIALIZED (
      SELECT one.id, one.outcome, claim.version
      FROM (SELECT * FROM ended WHERE workspace_id IN (SELECT workspace_id FROM places WHERE lives)) AS one
      CROSS JOIN LATERAL (
        SELECT c.ctid AS version FROM execution.claims AS c
        WHERE c.org_id = one.org_id AND c.key = one.key AND c.execution_id = one.id AND c.outcome IS NULL
        FOR UPDATE SKIP LOCKED) AS claim),
    claim AS (
      UPDATE execution.claims AS c SET outcome = open.outcome::json, expires_at = ${KEPT}
      FROM open WHERE c.ctid = open.version RETURNING c.execution_id AS id),
    run AS (INSERT INTO execution.executions (${RUN_COLUMNS}) SELECT ${SELECTED} FROM ended JOIN claim USING (id)),
    event AS (
      INSERT INTO execution.outbox (id, type, org_id, envelope)
      SELECT event_id, type, event_org_id, envelope FROM ended JOIN claim USING (id))
    SELECT ended.id, lives, claim.id IS NOT NULL AS "isWritten"
    FROM ended JOIN places USING (workspace_id) LEFT JOIN claim USING (id)`,
};

/** Outcomes with more characters are stored in their own commits, because other calls would wait for them. */
const MAX_GROUPED = 8_192;

/**
 * Records a run and its event, and stores the result under the idempotency key, in one transaction. Returns false if the claim of the key was already
 * settled, so that a run always has exactly one record and one result. Throws UNAVAILABLE if a deletion of its workspace lasts over 5 s.
 */
export type SettleClaim = (run: Run, ended: FinishedRun & { key: string }) => Promise<boolean>;

/** Settles the claims of runs that end at the same time in one commit, as `runRecorder` records runs without a key. */
export function claimSettler(pool: Pool): SettleClaim {
  const settleTogether = group(pool, SETTLE_ALL, { types: SETTLED, idAt: 0 });
  const settle = async (row: unknown[], isSmall: boolean): Promise<Written> => {
    const first = isSmall ? await settleTogether(row) : undefined;
    return first && (first.isWritten || !first.lives) ? first : writeOne(pool, SETTLE, [...row, false]);
  };
  return async (run, ended) => {
    const outcome = JSON.stringify(ended.outcome);
    const row = [...valuesOf(run, ended), ended.key, outcome];
    return (await whenPossible(() => settle(row, outcome.length <= MAX_GROUPED))).isWritten;
  };
}

/** Settles a claim like `claimSettler`, but only if its lease has lapsed, which means that its process exited. */
export async function settleExpired(pool: Pool, run: Run, key: string, outcome: Outcome): Promise<boolean> {
  const row = [...valuesOf(run, { outcome }), key, JSON.stringify(outcome), true];
  return (await whenPossible(() => writeOne(pool, SETTLE, row))).isWritten;
}
