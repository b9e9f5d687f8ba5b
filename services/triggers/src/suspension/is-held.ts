import { type Pool } from 'pg';
import { type Due } from '../schedule/scheduler.js';
import { holdSource } from './hold.js';
import { type WorkspaceStates } from './workspace-states.js';

interface Parts {
  pool: Pool;
  states: Pick<WorkspaceStates, 'find'>;
}

/**
 * Returns whether the provider must not be called for a source now: its workspace is suspended, and the source is paused, or its workspace is
 * deleted. Throws UNAVAILABLE if the state is unknown.
 */
export async function isHeld(
  { pool, states }: Parts,
  task: 'poll' | 'renew',
  source: Due & { workspaceId: string },
): Promise<boolean> {
  const state = await states.find(source);
  if (state === 'suspended') await holdSource(pool, task, source);
  return state !== 'live';
}
