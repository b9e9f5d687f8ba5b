import { type Pool } from 'pg';
import { type Due } from '../schedule/scheduler.js';
import { holdSource } from './hold.js';
import { type WorkspaceStates } from './workspace-states.js';

interface Parts {
  pool: Pool;
  states: Pick<WorkspaceStates, 'find'>;
}

/**
 * Whether nobody is to be asked for a source now: its workspace is suspended, and it is held, or its workspace is gone, and so is it soon.
 * Fails while nobody can say.
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
