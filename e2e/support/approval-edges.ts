import { openClient } from './database.js';
import { type HeldRuns } from './runs.js';

/** The point at which a run with an approval is killed: before or after the approval is consumed, or after the provider received the request. */
export type Edge = 'claimed' | 'used' | 'sent';

export const USED = /UPDATE approvals\.approval_requests\s+SET status = 'consumed'/;

/** Kills all executors when the run with this title reaches the edge, and restarts them. */
export async function killAt(runs: HeldRuns, edge: Edge, title: string): Promise<void> {
  const release = runs.hold();
  const there =
    edge === 'sent' ? runs.received(title) : runs.database.cutAt(USED, edge === 'used' ? 'after' : 'before');
  const first = runs.execute(title).catch(() => undefined);
  await there;
  await Promise.all(runs.executors.map((name) => runs.product.kill(name)));
  runs.database.restore();
  release();
  await first;
  await runs.restart(runs.executors);
}

/** Locks an approval request. Writers of the request wait until the returned function is called. */
export async function lockRequest(databaseUrl: string, id: string): Promise<() => Promise<void>> {
  const holder = await openClient(databaseUrl);
  await holder.query('BEGIN');
  await holder.query('SELECT FROM approvals.approval_requests WHERE id = $1 FOR UPDATE', [id.slice(4)]);
  return async () => {
    await holder.query('COMMIT');
    await holder.end();
  };
}
