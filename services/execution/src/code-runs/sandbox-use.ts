import { eventValues, insertEvent, newEvent } from '@drawbridge/events';
import { caller } from '@drawbridge/rpc';
import { type Pool } from 'pg';
import { type CodeRun, type CodeRuns } from './code-run.js';
import { type RunInWorkspace } from './code-run-rows.js';

/** A sandbox run that was counted against the quota. `restore` undoes the count. */
export interface QuotaLease {
  id: string | undefined;
  restore(): void;
  restoreAndThrow(error: unknown): never;
}

/** Counts a run against the quota of sandbox runs. Throws QUOTA_EXCEEDED. */
export async function takeQuota(
  { pipeline }: Pick<CodeRuns, 'pipeline'>,
  { orgId }: Pick<CodeRun, 'orgId'>,
): Promise<QuotaLease> {
  const id = await pipeline.sandboxQuota.take(caller());
  const restore = (): void => pipeline.sandboxQuota.restore(orgId, id);
  const restoreAndThrow = (error: unknown): never => {
    restore();
    throw error;
  };
  return { id, restore, restoreAndThrow };
}

const START_EVENT_AT = 4;
const START = {
  name: 'start-code-run',
  text: `
    WITH run AS (
      UPDATE execution.code_runs SET started_at = now() WHERE id = $1::uuid AND org_id = $2::uuid AND holder = $3::uuid RETURNING 1)
    ${insertEvent('execution', { first: START_EVENT_AT, from: 'run' })}`,
};
const COUNT = { name: 'count-code-run', text: insertEvent('execution', { first: 1 }) };

/**
 * Publishes the event that a run has started, which counts as a sandbox run. `holder` is absent for a run without a database row. Returns false if
 * another process has the lease.
 */
export async function startRow(
  pool: Pool,
  { id, orgId, workspaceId }: RunInWorkspace,
  { sandboxLeaseId, holder }: { sandboxLeaseId?: string; holder?: string },
): Promise<boolean> {
  const value = { codeRunId: id, workspaceId, sandboxLeaseId };
  const event = eventValues(newEvent({ $case: 'codeRunStarted', value }, { orgId }));
  const counting =
    holder === undefined ? { ...COUNT, values: event } : { ...START, values: [id, orgId, holder, ...event] };
  return (await pool.query(counting)).rowCount === 1;
}
