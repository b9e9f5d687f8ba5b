import { NIL_ID } from '@drawbridge/contracts';
import { inTransaction, type PutAside, repeat } from '@drawbridge/events';
import { type Enqueue } from '@drawbridge/jobs';
import { type Background, type Logger } from '@drawbridge/rpc';
import { type Pool, type PoolClient } from 'pg';
import { type Source } from '../gen/prisma/client.js';
import { type WorkspaceStates } from './workspace-states.js';

const EVERY_MS = 1_000;
/** Maximum number of workspaces that the members service accepts in one request. */
const PAGE = 500;
const BATCH = 500;

const LIST = `
  SELECT workspace_id AS "workspaceId", org_id AS "orgId" FROM triggers.suspended_workspaces
  WHERE workspace_id > $1 ORDER BY workspace_id LIMIT ${PAGE}`;

const WHICH = 'WHERE org_id = $1 AND workspace_id = $2';
const LOCK = `SELECT FROM triggers.suspended_workspaces ${WHICH} FOR UPDATE`;
const LET_DELIVERIES_GO = `
  UPDATE triggers.deliveries SET held = false, due_at = now(), is_ready = true, updated_at = now() WHERE org_id = $1 AND id IN (
    SELECT id FROM triggers.deliveries ${WHICH} AND held ORDER BY id LIMIT ${BATCH})
  RETURNING id, org_id AS "orgId"`;
/**
 * Resumes sources, and resets their failures: without callbacks during the suspension, the period of failures would have continued and could disable
 * the trigger.
 */
const LET_SOURCES_GO = `
  UPDATE triggers.sources SET held = false, failing_since = NULL, failed_attempts = 0,
    poll_at = CASE WHEN held AND poll_at IS NOT NULL THEN now() ELSE poll_at END,
    renew_at = CASE WHEN held AND renew_at IS NOT NULL THEN now() ELSE renew_at END
  ${WHICH} AND (held OR failing_since IS NOT NULL)`;
const FORGET = `DELETE FROM triggers.suspended_workspaces ${WHICH}`;

interface Needs {
  pool: Pool;
  states: Pick<WorkspaceStates, 'suspendedOf'>;
  enqueue: Enqueue;
  aside: PutAside;
}

type Place = Pick<Source, 'workspaceId' | 'orgId'>;

/**
 * Resumes work of workspaces that are no longer suspended: makes paused deliveries and sources due. Checks all suspended workspaces each second, in
 * every process.
 */
export function resuming({ log, ...needs }: Omit<Needs, 'aside'> & { log: Logger }): Background {
  return repeat({ name: 'resuming work of suspended workspaces', everyMs: EVERY_MS, log }, (stopping, aside) =>
    letGo({ ...needs, aside }, stopping),
  );
}

/** Runs one round of resuming. */
export async function letGo(needs: Needs, stopping?: AbortSignal): Promise<void> {
  let [after, isMore]: [string, boolean] = [NIL_ID, true];
  while (isMore && !stopping?.aborted) {
    const { rows } = await needs.pool.query<Place>(LIST, [after]);
    for (const place of await resumedOf(needs, rows)) {
      await needs.aside.attempt(place.workspaceId, async () => {
        while (!stopping?.aborted && (await letSomeGo(needs, place)));
      });
    }
    [after, isMore] = [rows.at(-1)?.workspaceId ?? after, rows.length === PAGE];
  }
}

async function resumedOf({ states, aside }: Needs, places: readonly Place[]): Promise<Place[]> {
  const resumed: Place[] = [];
  for (const orgId of new Set(places.map((place) => place.orgId))) {
    const own = places.filter((place) => place.orgId === orgId);
    await aside.attempt(orgId, async () => {
      const suspended = await states.suspendedOf(
        orgId,
        own.map(({ workspaceId }) => workspaceId),
      );
      resumed.push(...own.filter(({ workspaceId }) => !suspended.has(workspaceId)));
    });
  }
  return resumed;
}

/** Resumes a batch of deliveries, and after the last batch the sources of the workspace. Returns true if more deliveries may exist. */
async function letSomeGo({ pool, enqueue }: Needs, { orgId, workspaceId }: Place): Promise<boolean> {
  const values = [orgId, workspaceId];
  return inTransaction(pool, async (tx: PoolClient) => {
    const { rowCount } = await tx.query(LOCK, values);
    if (rowCount === 0) return false;
    const { rows } = await tx.query<{ id: string; orgId: string }>(LET_DELIVERIES_GO, values);
    const isMore = rows.length === BATCH;
    if (!isMore) for (const statement of [LET_SOURCES_GO, FORGET]) await tx.query(statement, values);
    // Notifies the callback workers of the deliveries that are now ready.
    await enqueue(tx, rows);
    return isMore;
  });
}
