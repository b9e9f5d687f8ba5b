import { eventValues, insertEvent, newEvent, together } from '@drawbridge/events';
import { type ActionExecuted } from '@drawbridge/proto/drawbridge/execution/v1/events';
import { traceparent } from '@drawbridge/rpc';
import { type Pool } from 'pg';
import { afterDeletion } from './after-deletion.js';
import { type Outcome } from './outcome.js';

/** The facts about a run that are known before it starts. */
export interface Run {
  id: string;
  orgId: string;
  source: string;
  integrationName: string;
  integrationAlias?: string;
  actionName: string;
  workspaceId: string;
  userId: string;
  keyId?: string;
  requestId: string;
  /** The address of the client. */
  address?: string;
  endUserId?: string;
  connectionId?: string;
  /** The approval that the run uses. */
  approvalId?: string;
  /** JSON text for the run log, redacted and cut. */
  inputJson: string;
  /** ISO 8601. */
  createdAt: string;
  /** The lease that the run was counted against. Absent if the plan has no limit. */
  quotaLeaseId?: string;
  /** The run uses the sandbox, and its lease for that. */
  usedSandbox?: true;
  sandboxLeaseId?: string;
}

const RUN_COLUMNS = `id, org_id, source, integration_name, integration_alias, action_name, workspace_id, end_user_id,
  connection_id, status, duration_ms, error, input, output, created_at, approval_id`;
const RUN_TYPES = 'uuid uuid text text text text uuid text uuid text int json json json timestamptz text'.split(' ');
const RUN_VALUES = RUN_TYPES.map((type, at) => `$${at + 1}::${type}`).join(', ');

/** The index of the first parameter of the event, after those of the run. */
const EVENT_AT = RUN_TYPES.length + 1;

/** Skips a run of a workspace that was deleted meanwhile. `waits` is true, and nothing is recorded, if it is being deleted now. */
const RECORD = {
  name: 'record-run-now',
  text: `
    WITH place AS MATERIALIZED (SELECT execution.workspace_lives_now($7::uuid) AS lives),
    run AS (INSERT INTO execution.executions (${RUN_COLUMNS}) SELECT ${RUN_VALUES} FROM place WHERE lives RETURNING 1),
    event AS (${insertEvent('execution', { first: EVENT_AT, from: 'run' })})
    SELECT lives IS NULL AS waits FROM place`,
};

const EVENT_COLUMNS = 'event_id, type, event_org_id, envelope';
/** JSON is sent as text, because an array of json cannot be unnested into rows of several columns without a copy of each value. */
const UNNESTED = [...RUN_TYPES.map((type) => (type === 'json' ? 'text' : type)), 'uuid', 'text', 'uuid', 'bytea'];
const SELECTED = RUN_COLUMNS.replace('error, input, output', 'error::json, input::json, output::json');

/**
 * Records several runs in one commit. Returns the ids of runs in a workspace that is being deleted: they are recorded when the deletion has ended.
 * Locks are taken in the order of the workspaces, as deletions take them.
 */
const RECORD_ALL = {
  name: 'record-runs',
  text: `
    WITH ended AS MATERIALIZED (
      SELECT * FROM unnest(${UNNESTED.map((type, at) => `$${at + 1}::${type}[]`).join(', ')})
        AS one(${RUN_COLUMNS}, ${EVENT_COLUMNS})),
    places AS MATERIALIZED (
      SELECT workspace_id, execution.workspace_lives_now(workspace_id) AS lives
      FROM (SELECT DISTINCT workspace_id FROM ended ORDER BY workspace_id) AS own),
    run AS (
      INSERT INTO execution.executions (${RUN_COLUMNS})
      SELECT ${SELECTED} FROM ended WHERE workspace_id IN (SELECT workspace_id FROM places WHERE lives)
      ON CONFLICT (id) DO NOTHING RETURNING id),
    event AS (
      INSERT INTO execution.outbox (id, type, org_id, envelope)
      SELECT event_id, type, event_org_id, envelope FROM ended JOIN run USING (id))
    SELECT id FROM ended JOIN places USING (workspace_id) WHERE lives IS NULL`,
};

const SETTLE = {
  name: 'settle-claim',
  text: `
    WITH claim AS (
      UPDATE execution.claims SET outcome = $22::json, expires_at = now() + interval '24 hours'
      WHERE org_id = $2::uuid AND key = $21 AND execution_id = $1::uuid AND outcome IS NULL AND (SELECT execution.workspace_lives($7::uuid))
        AND (NOT $23::boolean OR lease_until < now())
      RETURNING 1),
    run AS (INSERT INTO execution.executions (${RUN_COLUMNS}) SELECT ${RUN_VALUES} FROM claim),
    event AS (${insertEvent('execution', { first: EVENT_AT, from: 'claim' })})
    SELECT count(*)::int AS settled FROM claim`,
};

/** Writes the run log row of a run, unless it has one, and its event in one commit. Throws UNAVAILABLE during a long deletion of its workspace. */
export type RecordRun = (run: Run, ended: FinishedRun) => Promise<void>;

/** Runs that are recorded in one commit: as many as end during the commit before, up to this. */
const MOST_AT_ONCE = 50;

/** Records runs that end at the same time together: a commit costs more than a row. If that fails, each is recorded alone. */
export function runRecorder(pool: Pool): RecordRun {
  const recordAll = async (rows: readonly unknown[][]): Promise<boolean[]> => {
    if (rows.length === 1) return [await recordOne(pool, rows[0]!)];
    const columns = UNNESTED.map((_, at) => rows.map((row) => row[at] ?? null));
    const { rows: waiting } = await pool.query<{ id: string }>({ ...RECORD_ALL, values: columns });
    const later = new Set(waiting.map(({ id }) => id));
    return rows.map(([id]) => !later.has(id as string));
  };
  const recordTogether = together(MOST_AT_ONCE, recordAll);
  return async (run, ended) => {
    const values = valuesOf(run, ended);
    if (!(await recordTogether(values))) await afterDeletion(() => recordTogether(values));
  };
}

/** Returns false, and records nothing, during the deletion of the workspace. Does nothing if the run is already recorded. */
async function recordOne(pool: Pool, values: unknown[]): Promise<boolean> {
  try {
    const { rows } = await pool.query<{ waits: boolean }>({ ...RECORD, values });
    return rows[0]?.waits !== true;
  } catch (error) {
    if (isRecorded(error)) return true;
    throw error;
  }
}

/** Detects a repeated insert (unique_violation): the earlier commit succeeded, but its answer was lost. */
function isRecorded(error: unknown): boolean {
  const { code, constraint } = error as { code?: string; constraint?: string };
  return code === '23505' && constraint === 'executions_pkey';
}

/**
 * Writes the run log row, its event and the answer under the idempotency key: all three or none. Returns false if the claim was settled
 * before, so that a run always has one record and one answer.
 */
export async function settleClaim(pool: Pool, run: Run, ended: FinishedRun & Settlement): Promise<boolean> {
  const { key, outcome, onlyExpired = false } = ended;
  const values = [...valuesOf(run, ended), key, JSON.stringify(outcome), onlyExpired];
  const { rows } = await pool.query<{ settled: number }>({ ...SETTLE, values });
  return rows[0]?.settled === 1;
}

export interface FinishedRun {
  outcome: Outcome;
  /** JSON text for the run log, redacted and cut. */
  loggedOutput?: string;
}

interface Settlement {
  key: string;
  /** Settles only a lapsed claim of a process that died. */
  onlyExpired?: boolean;
}

function valuesOf(run: Run, { outcome: { failure, duration }, loggedOutput }: FinishedRun): unknown[] {
  const status = failure ? 'failed' : 'success';
  const value = toExecuted(run, { status, durationMs: duration });
  const event = newEvent({ $case: 'actionExecuted', value }, { orgId: run.orgId, traceparent: traceparent() });
  return [
    run.id,
    run.orgId,
    run.source,
    run.integrationName,
    run.integrationAlias,
    run.actionName,
    run.workspaceId,
    run.endUserId,
    run.connectionId,
    status,
    duration,
    failure && JSON.stringify(failure),
    run.inputJson,
    loggedOutput,
    run.createdAt,
    run.approvalId,
    ...eventValues(event),
  ];
}

const toExecuted = (run: Run, ended: Pick<ActionExecuted, 'status' | 'durationMs'>): ActionExecuted => ({
  ...ended,
  executionId: run.id,
  workspaceId: run.workspaceId,
  integrationName: run.integrationName,
  actionName: run.actionName,
  source: run.source,
  leaseId: run.quotaLeaseId,
  connectionId: run.connectionId,
  userId: run.userId,
  keyId: run.keyId,
  requestId: run.requestId,
  address: run.address,
  usedSandbox: run.usedSandbox ?? false,
  sandboxLeaseId: run.sandboxLeaseId,
});
