import { type Pool } from 'pg';
import { type Due } from '../schedule/scheduler.js';
import { type WorkspaceStates } from './workspace-states.js';

interface Parts {
  pool: Pool;
  states: Pick<WorkspaceStates, 'find'>;
}

/**
 * Returns true if the provider must not be called for a source, because its workspace is deleted or suspended. In a suspended workspace, pauses the
 * source. Throws UNAVAILABLE if the state of the workspace is unknown.
 */
export async function isPaused(
  { pool, states }: Parts,
  task: 'poll' | 'renew',
  source: Due & { workspaceId: string },
): Promise<boolean> {
  const state = await states.find(source);
  if (state === 'suspended') await pauseSource(pool, task, source);
  return state !== 'live';
}

/** Inserts the workspace first. Resuming locks this row, so it finds everything that was paused before. Its next round finds what is paused later. */
const NOTED = `
  WITH noted AS (
    INSERT INTO triggers.suspended_workspaces (workspace_id, org_id) VALUES ($2::uuid, $1::uuid)
    ON CONFLICT (workspace_id) DO UPDATE SET org_id = excluded.org_id RETURNING org_id)`;

const PAUSE_DELIVERY = {
  name: 'pause-delivery',
  text: `${NOTED} UPDATE triggers.deliveries SET held = true, in_flight = false, attempt = attempt - 1, tries = tries - 1 FROM noted
    WHERE deliveries.org_id = $1::uuid AND deliveries.id = $3::uuid AND attempt = $4
      AND status IN ('pending', 'retrying')`,
};

/** If nothing resumes the source, it is due again after an hour. */
const pauseDue = (column: 'poll_at' | 'renew_at') => ({
  name: `pause-${column}`,
  text: `${NOTED} UPDATE triggers.sources SET held = true, ${column} = now() + interval '1 hour' FROM noted
    WHERE sources.org_id = $1::uuid AND sources.id = $3::uuid AND status = 'enabled' AND ${column} = $4`,
});
const PAUSE = { poll: pauseDue('poll_at'), renew: pauseDue('renew_at') };

interface Paused {
  id: string;
  orgId: string;
  workspaceId: string;
}

/** Pauses a delivery while its workspace is suspended. The started attempt does not count, and is not a failure. */
export async function pauseDelivery(
  pool: Pool,
  { id, orgId, workspaceId, attempt }: Paused & { attempt: number },
): Promise<undefined> {
  await pool.query({ ...PAUSE_DELIVERY, values: [orgId, workspaceId, id, attempt] });
}

/** Pauses polling or renewing a source while its workspace is suspended. No failure is counted. */
export async function pauseSource(
  pool: Pool,
  task: keyof typeof PAUSE,
  { id, orgId, workspaceId, at }: Paused & Pick<Due, 'at'>,
): Promise<void> {
  await pool.query({ ...PAUSE[task], values: [orgId, workspaceId, id, at] });
}
