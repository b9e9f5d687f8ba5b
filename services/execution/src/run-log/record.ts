import {
  arraysOf,
  columnsOf,
  type ElementType,
  eventValues,
  insertEvent,
  newEvent,
  together,
} from '@drawbridge/events';
import { type ActionExecuted } from '@drawbridge/proto/drawbridge/execution/v1/events';
import { traceparent } from '@drawbridge/rpc';
import { type Pool } from 'pg';
import { afterDeletion } from './after-deletion.js';
import { type Outcome } from './outcome.js';

/** The data of a run that is known before it starts. */
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
  /** The IP address of the client. */
  address?: string;
  endUserId?: string;
  connectionId?: string;
  /** The approval that the run uses. */
  approvalId?: string;
  /** The redacted and shortened input for the run log, as a JSON string. */
  inputJson: string;
  /** An ISO 8601 timestamp. */
  createdAt: string;
  /** The lease of the quota of actions that the run was counted against. Absent if the plan has no limit. */
  quotaLeaseId?: string;
  /** True if the run uses the sandbox. `sandboxLeaseId` is the lease of the quota of sandbox runs. */
  usedSandbox?: true;
  sandboxLeaseId?: string;
}

export const RUN_COLUMNS = `id, org_id, source, integration_name, integration_alias, action_name, workspace_id, end_user_id,
  connection_id, status, duration_ms, error, input, output, created_at, approval_id`;
const RUN_TYPES = [
  ...(['uuid', 'uuid', 'text', 'text', 'text', 'text', 'uuid', 'text'] as const),
  ...(['uuid', 'text', 'int', 'json', 'json', 'json', 'timestamptz', 'text'] as const),
];
export const RUN_VALUES = RUN_TYPES.map((type, at) => `$${at + 1}::${type}`).join(', ');

/** The number of the first parameter of the event, which follows the parameters of the run. */
export const EVENT_AT = RUN_TYPES.length + 1;

/** Records a run and its event, but nothing if the workspace is deleted. While the deletion is in progress, records nothing and returns `waits`. */
const RECORD = {
  name: 'record-run-now',
  text: `
    WITH place AS MATERIALIZED (SELECT execution.workspace_lives_now($7::uuid) AS lives),
    run AS (INSERT INTO execution.executions (${RUN_COLUMNS}) SELECT ${RUN_VALUES} FROM place WHERE lives RETURNING 1),
    event AS (${insertEvent('execution', { first: EVENT_AT, from: 'run' })})
    SELECT lives IS NULL AS waits FROM place`,
};

export const EVENT_COLUMNS = 'event_id, type, event_org_id, envelope';
/** JSON is sent as text, because PostgreSQL cannot unnest an array of json into rows of several columns without a copy of each value. */
export const UNNESTED: readonly ElementType[] = [
  ...RUN_TYPES.map((type) => (type === 'json' ? 'text' : type)),
  'uuid',
  'text',
  'uuid',
  'bytea',
];
export const SELECTED = RUN_COLUMNS.replace('error, input, output', 'error::json, input::json, output::json');

/**
 * Returns SQL for whether the workspace of each row lives: NULL while it is being deleted. It waits for no deletion, and delays later deletions until
 * the transaction ends.
 */
export const placesOf = (rows: string): string => `
      SELECT workspace_id, execution.workspace_lives_now(workspace_id) AS lives
      FROM (SELECT DISTINCT workspace_id FROM ${rows} ORDER BY workspace_id) AS own`;

/**
 * Records several runs in one commit. If a workspace is being deleted, returns the ids of its runs, which must be recorded again after the deletion.
 */
const RECORD_ALL = {
  name: 'record-runs',
  text: `
    WITH ended AS MATERIALIZED (
      SELECT * FROM unnest(${arraysOf(UNNESTED)}) AS one(${RUN_COLUMNS}, ${EVENT_COLUMNS})),
    places AS MATERIALIZED (${placesOf('ended')}),
    run AS (
      INSERT INTO execution.executions (${RUN_COLUMNS})
      SELECT ${SELECTED} FROM ended WHERE workspace_id IN (SELECT workspace_id FROM places WHERE lives)
      ON CONFLICT (id) DO NOTHING RETURNING id),
    event AS (
      INSERT INTO execution.outbox (id, type, org_id, envelope)
      SELECT event_id, type, event_org_id, envelope FROM ended JOIN run USING (id))
    SELECT id FROM ended JOIN places USING (workspace_id) WHERE lives IS NULL`,
};

/** Records a run and its event in one commit, if the run is not recorded yet. Throws UNAVAILABLE if a deletion of its workspace lasts over 5 s. */
export type RecordRun = (run: Run, ended: FinishedRun) => Promise<void>;

/** Maximum number of runs that are recorded in one commit. A commit contains the runs that ended during the previous commit. */
export const MOST_AT_ONCE = 50;

/** Records runs that end at the same time in one commit, because a commit costs more than a row. Repeats a failed commit in halves. */
export function runRecorder(pool: Pool): RecordRun {
  const recordAll = async (rows: readonly unknown[][]): Promise<boolean[]> => {
    if (rows.length === 1) return [await recordOne(pool, rows[0]!)];
    const { rows: waiting } = await pool.query<{ id: string }>({ ...RECORD_ALL, values: columnsOf(rows, UNNESTED) });
    const later = new Set(waiting.map(({ id }) => id));
    return rows.map(([id]) => !later.has(id as string));
  };
  const recordTogether = together(MOST_AT_ONCE, recordAll);
  return async (run, ended) => {
    const values = valuesOf(run, ended);
    if (!(await recordTogether(values))) await afterDeletion(() => recordTogether(values), Boolean);
  };
}

/** Records one run. Does nothing if the run is already recorded. Returns false, and records nothing, while the workspace is being deleted. */
async function recordOne(pool: Pool, values: unknown[]): Promise<boolean> {
  try {
    const { rows } = await pool.query<{ waits: boolean }>({ ...RECORD, values });
    return rows[0]?.waits !== true;
  } catch (error) {
    if (isRecorded(error)) return true;
    throw error;
  }
}

/** Returns true for the error of a repeated insert (unique_violation). The earlier commit succeeded, but its response was lost. */
function isRecorded(error: unknown): boolean {
  const { code, constraint } = error as { code?: string; constraint?: string };
  return code === '23505' && constraint === 'executions_pkey';
}

export interface FinishedRun {
  outcome: Outcome;
  /** The redacted and shortened output for the run log, as a JSON string. */
  loggedOutput?: string;
}

/** Returns the parameters of the columns of a run and its event. */
export function valuesOf(run: Run, { outcome: { failure, duration }, loggedOutput }: FinishedRun): unknown[] {
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
