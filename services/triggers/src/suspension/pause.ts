import { type Pool } from 'pg';
import { type Source } from '../gen/prisma/client.js';
import { type Due } from '../schedule/scheduler.js';
import { type WorkspaceStates } from './workspace-states.js';

/**
 * Returns true if the provider must not be called for a source, because its workspace is deleted or suspended. Also pauses the source if the
 * workspace is suspended. Throws UNAVAILABLE if the state of the workspace is unknown.
 */
export async function isPaused(
  { pool, states }: { pool: Pool; states: Pick<WorkspaceStates, 'find'> },
  task: keyof typeof PAUSE,
  source: Paused & Pick<Due, 'at'>,
): Promise<boolean> {
  const state = await states.find(source);
  if (state === 'suspended') await pauseSource(pool, task, source);
  return state !== 'live';
}

/**
 * Inserts or locks the row of the suspended workspace before work is paused. Resuming locks this row too, so it finds all work that was paused
 * before. It finds work that is paused later in its next round.
 */
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

/** Pauses the polls or renewals of a source. As a safeguard, the source is due again after an hour if nothing resumes it. */
const pauseDue = (column: 'poll_at' | 'renew_at') => ({
  name: `pause-${column}`,
  text: `${NOTED} UPDATE triggers.sources SET held = true, ${column} = now() + interval '1 hour' FROM noted
    WHERE sources.org_id = $1::uuid AND sources.id = $3::uuid AND status = 'enabled' AND ${column} = $4`,
});
const PAUSE = { poll: pauseDue('poll_at'), renew: pauseDue('renew_at') };

type Paused = Pick<Source, 'id' | 'orgId' | 'workspaceId'>;

/** Pauses a delivery while its workspace is suspended. The attempt that was started does not count. */
export async function pauseDelivery(
  pool: Pool,
  { id, orgId, workspaceId, attempt }: Paused & { attempt: number },
): Promise<undefined> {
  await pool.query({ ...PAUSE_DELIVERY, values: [orgId, workspaceId, id, attempt] });
}

/** Pauses the polls or renewals of a source while its workspace is suspended, without counting a failure. */
export async function pauseSource(
  pool: Pool,
  task: keyof typeof PAUSE,
  { id, orgId, workspaceId, at }: Paused & Pick<Due, 'at'>,
): Promise<void> {
  await pool.query({ ...PAUSE[task], values: [orgId, workspaceId, id, at] });
}
