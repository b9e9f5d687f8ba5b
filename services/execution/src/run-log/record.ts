import { cutText, nestsDeeper } from '@drawbridge/contracts';
import { eventValues, insertEvent, newEvent } from '@drawbridge/events';
import { hideInUrls, hideSensitive } from '@drawbridge/piece-kit';
import { type ActionExecuted } from '@drawbridge/proto/drawbridge/execution/v1/events';
import { traceparent } from '@drawbridge/rpc';
import { type Pool } from 'pg';
import { redactBeginning, type Redactor } from '../redaction/redactor.js';
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
const RUN_VALUES =
  '$1::uuid, $2::uuid, $3, $4, $5, $6, $7::uuid, $8, $9::uuid, $10, $11::int, $12::json, $13::json, $14::json, $15::timestamptz, $16';

/** The index of the first parameter of the event, after those of the run. */
const EVENT_AT = 17;

const UNIQUE_VIOLATION = '23505';

/** Skips a run whose workspace was deleted meanwhile. A separate SQL function would be planned again for each row. */
const LIVES = '(SELECT execution.workspace_lives($7::uuid))';

const RECORD = {
  name: 'record-run',
  text: `
    WITH run AS (
      INSERT INTO execution.executions (${RUN_COLUMNS}) SELECT ${RUN_VALUES} WHERE ${LIVES} RETURNING 1)
    ${insertEvent('execution', { first: EVENT_AT, from: 'run' })}`,
};

const SETTLE = {
  name: 'settle-claim',
  text: `
    WITH claim AS (
      UPDATE execution.claims SET outcome = $22::json, expires_at = now() + interval '24 hours'
      WHERE org_id = $2::uuid AND key = $21 AND execution_id = $1::uuid AND outcome IS NULL AND ${LIVES}
        AND (NOT $23::boolean OR lease_until < now())
      RETURNING 1),
    run AS (INSERT INTO execution.executions (${RUN_COLUMNS}) SELECT ${RUN_VALUES} FROM claim),
    event AS (${insertEvent('execution', { first: EVENT_AT, from: 'claim' })})
    SELECT count(*)::int AS settled FROM claim`,
};

/** Writes the run log row and its event in one statement and one commit. Does nothing if the run is already recorded. */
export async function recordRun(pool: Pool, run: Run, ended: FinishedRun): Promise<void> {
  await pool.query({ ...RECORD, values: valuesOf(run, ended) }).catch((error: unknown) => {
    if (!isRecorded(error)) throw error;
  });
}

const FIND = { name: 'find-run', text: 'SELECT FROM execution.executions WHERE org_id = $1 AND id = $2' };

/** Returns whether the run ended, with any outcome. */
export async function isLogged(pool: Pool, orgId: string, id: string): Promise<boolean> {
  const { rowCount } = await pool.query({ ...FIND, values: [orgId, id] });
  return rowCount === 1;
}

/** Detects a repeated insert: the earlier commit succeeded, but its answer was lost. */
function isRecorded(error: unknown): boolean {
  const { code, constraint } = error as { code?: string; constraint?: string };
  return code === UNIQUE_VIOLATION && constraint === 'executions_pkey';
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
  /** Settles only a lapsed claim, whose process died. */
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

const LIMIT = 16_000;
/** The same limit as for requests: the log travels as a protobuf Struct, which is parsed recursively. */
const MAX_LEVELS = 32;

/**
 * Returns an input for the run log as JSON text, without the credential, the values of secret properties and sensitive keys, and
 * such values in URLs. Reads only the beginning of a long input.
 */
export function toLoggedInput(input: unknown, isSecret: (key: string) => boolean, redactor: Redactor): string {
  const json = JSON.stringify(hideSensitive(input, isSecret));
  const { shown, isCut } = redactBeginning(json, LIMIT, redactor.json);
  return isCut ? toPreview(shown) : toLogged(shown);
}

/** Returns redacted JSON for the run log: at most 16 kB and 32 levels. Longer JSON, or JSON that `isCut`, becomes a preview of its beginning. */
export function toLogged(json: string, isCut = false): string {
  if (isCut || json.length > LIMIT) return toPreview(json.slice(0, 2 * LIMIT));
  const hidden = hideInUrls(json);
  return hidden.length > LIMIT || nestsDeeper(hidden, MAX_LEVELS) ? toPreview(hidden) : hidden;
}

/** Returns a logged value within the level limit, because older rows were stored without one. */
export function fromLogged(value: unknown): unknown {
  const json = JSON.stringify(value);
  return nestsDeeper(json, MAX_LEVELS) ? JSON.parse(toPreview(json)) : value;
}

function toPreview(beginning: string): string {
  return JSON.stringify({ truncated: true, preview: cutText(hideInUrls(beginning), LIMIT) });
}
