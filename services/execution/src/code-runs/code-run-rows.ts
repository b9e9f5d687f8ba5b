import { notFound } from '@drawbridge/contracts';
import { eventValues, insertEvent, newEvent } from '@drawbridge/events';
import { type CodeRunResult } from '@drawbridge/proto/drawbridge/execution/v1/code_runs';
import { type Pool } from 'pg';
import { type CodeRun } from './code-run.js';
import { type StoredReport } from './run-report.js';

/** Duration of the lease of a run, in seconds. If a lease expires without a release, its process has exited. */
export const LEASE_SECONDS = 15;
const LEASED = `now() + interval '${LEASE_SECONDS} seconds'`;
const RELEASED = `lease_until = now() - interval '1 second', holder = NULL`;

const CREATE = {
  name: 'create-code-run',
  text: `
    WITH run AS (
      INSERT INTO execution.code_runs (id, org_id, workspace_id, mcp_server_id, end_user_id, code_hash, tool_surface_hash,
        data_key_id, sealed, console, calls, expires_at, status, started_at, holder, lease_until, end_user_record_id)
      SELECT $1::uuid, $2::uuid, $3::uuid, $4, $5, $6, $7, $8::uuid, $9::bytea, $10::json, $11::json, $12::timestamptz,
        CASE WHEN $13::uuid IS NULL THEN 'waiting' ELSE 'running' END, CASE WHEN $13::uuid IS NULL THEN NULL ELSE now() END,
        $13::uuid, CASE WHEN $13::uuid IS NULL THEN now() - interval '1 second' ELSE ${LEASED} END, $15
      WHERE (SELECT execution.workspace_lives($3::uuid)) RETURNING id, org_id)
    INSERT INTO execution.code_run_approvals (id, org_id, run_id) SELECT unnest($14::text[]), org_id, id FROM run`,
};

const ADD_APPROVAL = {
  name: 'add-code-run-approval',
  text: `
    WITH run AS (
      UPDATE execution.code_runs SET expires_at = greatest(expires_at, $4::timestamptz), updated_at = now()
      WHERE id = $1::uuid AND org_id = $2::uuid AND holder = $3::uuid RETURNING id, org_id)
    INSERT INTO execution.code_run_approvals (id, org_id, run_id) SELECT $5, org_id, id FROM run ON CONFLICT DO NOTHING`,
};

const FIND = {
  name: 'find-code-run',
  text: `
    SELECT r.id, r.code_hash AS "codeHash", r.tool_surface_hash AS "surfaceHash", r.console, r.calls, r.result,
      r.lease_until > now() AS "isHeld", r.holder IS NOT NULL OR r.crashed_at IS NOT NULL AS "hasCrashed"
    FROM execution.code_run_approvals a JOIN execution.code_runs r ON r.id = a.run_id AND r.org_id = a.org_id
    WHERE a.id = $1 AND a.org_id = $2::uuid AND r.workspace_id = $3::uuid AND r.mcp_server_id = $4
      AND r.end_user_id IS NOT DISTINCT FROM $5 AND r.end_user_record_id IS NOT DISTINCT FROM $6 AND r.expires_at > now()`,
};

// Takes the lease of a run. The expressions in SET read the values before the update: a holder with an expired lease is a process that exited.
const TAKE = {
  name: 'take-code-run',
  text: `
    UPDATE execution.code_runs SET status = 'running', holder = $3::uuid, lease_until = ${LEASED}, updated_at = now(),
      crashed_at = CASE WHEN holder IS NULL THEN crashed_at ELSE coalesce(crashed_at, lease_until) END
    WHERE id = $1::uuid AND org_id = $2::uuid AND status <> 'ended' AND lease_until <= now()
    RETURNING data_key_id AS "dataKeyId", sealed, console, calls, started_at IS NOT NULL AS "isStarted", expires_at AS "expiresAt",
      crashed_at IS NOT NULL AS "hasCrashed", coalesce(crashed_at < now() - interval '23 hours', false) AS "isLost"`,
};

const RENEW = {
  name: 'renew-code-run',
  text: `
    UPDATE execution.code_runs SET lease_until = ${LEASED} WHERE id = $1::uuid AND org_id = $2::uuid AND holder = $3::uuid`,
};

const RELEASE = `
  UPDATE execution.code_runs SET ${RELEASED}, status = 'waiting' WHERE id = $1::uuid AND org_id = $2::uuid AND holder = $3::uuid`;

const PAUSE = {
  name: 'pause-code-run',
  text: `
    UPDATE execution.code_runs SET ${RELEASED}, status = 'waiting', crashed_at = NULL, updated_at = now(),
      data_key_id = $4::uuid, sealed = $5::bytea, console = $6::json, calls = $7::json, expires_at = $8::timestamptz
    WHERE id = $1::uuid AND org_id = $2::uuid AND holder = $3::uuid`,
};

const END_EVENT_AT = 5;
const END = {
  name: 'end-code-run',
  text: `
    WITH run AS (
      UPDATE execution.code_runs SET ${RELEASED}, status = 'ended', updated_at = now(), data_key_id = NULL, sealed = NULL,
        result = $4::json, console = '[]', calls = '[]'
      WHERE id = $1::uuid AND org_id = $2::uuid AND status <> 'ended'
        AND CASE WHEN $3::uuid IS NULL THEN lease_until <= now() ELSE holder = $3::uuid END
      RETURNING 1)
    ${insertEvent('execution', { first: END_EVENT_AT, from: 'run' })}`,
};

export type RunId = Pick<CodeRun, 'id' | 'orgId'>;
export type RunInWorkspace = Pick<CodeRun, 'id' | 'orgId' | 'workspaceId'>;

export interface Sealed {
  dataKeyId: string;
  sealed: Buffer;
  expiresAt: Date;
}

export interface NewRow extends Sealed {
  run: CodeRun;
  report: StoredReport;
  approvalIds: readonly string[];
  /** The process that has the lease of a running program. Absent if the program has not started. */
  holder?: string;
}

/** Stores a run and the approvals that it waits for. Throws NOT_FOUND if the workspace was deleted. */
export async function createRow(pool: Pool, { run, report, approvalIds, holder, ...sealed }: NewRow): Promise<void> {
  const facts = [run.id, run.orgId, run.workspaceId, run.mcpServerId, run.endUserId, run.codeHash, run.surfaceHash];
  const state = [sealed.dataKeyId, sealed.sealed, ...toColumns(report), sealed.expiresAt];
  const { rowCount } = await pool.query({
    ...CREATE,
    values: [...facts, ...state, holder, approvalIds, run.endUserRecordId],
  });
  if (rowCount === 0) throw notFound('Workspace', run.workspaceId);
}

export async function addApproval(
  pool: Pool,
  { id, orgId }: RunId,
  { holder, approvalId, expiresAt }: { holder: string; approvalId: string; expiresAt: Date },
): Promise<void> {
  await pool.query({ ...ADD_APPROVAL, values: [id, orgId, holder, expiresAt, approvalId] });
}

export interface FoundRun extends StoredReport {
  id: string;
  codeHash: string;
  surfaceHash: string;
  result: CodeRunResult | null;
  isHeld: boolean;
  hasCrashed: boolean;
}

type Surface = Pick<CodeRun, 'orgId' | 'workspaceId' | 'mcpServerId' | 'endUserId' | 'endUserRecordId'>;

/** Returns the run that waits for an approval. Throws NOT_FOUND if the approval belongs to no run of this MCP server and end user. */
export async function findRow(pool: Pool, approvalId: string, surface: Surface): Promise<FoundRun> {
  const { orgId, workspaceId, mcpServerId, endUserId, endUserRecordId } = surface;
  const values = [approvalId, orgId, workspaceId, mcpServerId, endUserId, endUserRecordId];
  const { rows } = await pool.query<FoundRun>({ ...FIND, values });
  if (!rows[0]) throw notFound('Approval', approvalId);
  return rows[0];
}

export interface TakenRun extends StoredReport, Sealed {
  isStarted: boolean;
  /** True if a process exited after the state of the run was stored. The process may have executed actions since. */
  hasCrashed: boolean;
  /**
   * True if the crash was so long ago that the results of actions may already be deleted, because they are stored for 24 hours. The run can then not
   * be repeated.
   */
  isLost: boolean;
}

/** Takes the lease of a run. Returns undefined if another process has the lease or the run has ended. */
export async function takeRow(pool: Pool, { id, orgId }: RunId, holder: string): Promise<TakenRun | undefined> {
  return (await pool.query<TakenRun>({ ...TAKE, values: [id, orgId, holder] })).rows[0];
}

/** Renews the lease of a run. Returns false if another process has taken it. */
export async function renewRow(pool: Pool, { id, orgId }: RunId, holder: string): Promise<boolean> {
  return (await pool.query({ ...RENEW, values: [id, orgId, holder] })).rowCount === 1;
}

/** Releases the lease of a run, so that any process can continue the run from its stored state. */
export async function releaseRow(pool: Pool, { id, orgId }: RunId, holder: string): Promise<void> {
  await pool.query(RELEASE, [id, orgId, holder]);
}

/** Stores the state of a paused run and releases the lease. Returns false if another process has taken the lease. */
export async function pauseRow(
  pool: Pool,
  { id, orgId }: RunId,
  { holder, report, dataKeyId, sealed, expiresAt }: Sealed & { holder: string; report: StoredReport },
): Promise<boolean> {
  const values = [id, orgId, holder, dataKeyId, sealed, ...toColumns(report), expiresAt];
  return (await pool.query({ ...PAUSE, values })).rowCount === 1;
}

/**
 * Stores the result of a run and publishes the event codeRunEnded. Without a holder, ends a run that no process executes. Returns false if another
 * process has the lease or the run has already ended.
 */
export async function endRow(
  pool: Pool,
  { id, orgId, workspaceId }: RunInWorkspace,
  result: CodeRunResult,
  holder?: string,
): Promise<boolean> {
  const event = newEvent({ $case: 'codeRunEnded', value: { codeRunId: id, workspaceId } }, { orgId });
  const values = [id, orgId, holder, JSON.stringify(result), ...eventValues(event)];
  return (await pool.query({ ...END, values })).rowCount === 1;
}

const toColumns = ({ console, calls }: StoredReport): string[] => [JSON.stringify(console), JSON.stringify(calls)];
