import { newId } from '@drawbridge/contracts';
import { type State, StateError } from '@drawbridge/piece-kit';
import { QueueFullError, TenantLimiter } from '@drawbridge/turns';
import { type Pool, type PoolClient } from 'pg';
import { inTransaction } from '@drawbridge/events';
import { isOutage } from '@drawbridge/rpc';
import { countSpace } from './count-space.js';
import { type EntryRow, HEAD, LIVE, toEntry } from './entry-rows.js';
import { listEntries } from './list-entries.js';
import { SPACE, type StateSpace } from './state-space.js';
import { lockKnownSpace, writeEntry } from './write-entry.js';

/** Limits of concurrent accesses to stored state, per organization, because an access that waits for a locked row occupies a database connection. */
const TURNS = { atOnce: 2, waiting: 1_000 };
const WAIT_MS = 20_000;

const GET = {
  name: 'get-state',
  text: `
    SELECT ${HEAD}, value FROM execution.state_entries
    WHERE org_id = $1 AND space_id = (${SPACE}) AND integration = $5 AND key = $6 AND ${LIVE}`,
};
const OF_SPACE = 'WHERE org_id = $1 AND space_id = $2 AND integration = $3';
const DELETE = `DELETE FROM execution.state_entries ${OF_SPACE} AND key = $4 RETURNING ${LIVE} AS lives`;
const CLEAR = `DELETE FROM execution.state_entries ${OF_SPACE} RETURNING ${LIVE} AS lives`;

/** Returns the access of one run to the stored state of one owner. */
export type OpenState = (space: StateSpace) => State;

export function stateOpener(pool: Pool): OpenState {
  const turns = new TenantLimiter(TURNS);
  return (space) => {
    const inTurn = async <T>(work: () => Promise<T>): Promise<T> => {
      const end = await turns.acquire(space.orgId, AbortSignal.timeout(WAIT_MS)).catch(tooBusy);
      return work().finally(end);
    };
    const together: State['together'] = (work) =>
      inTurn(() => changeState(pool, (tx) => work((key, change) => writeEntry(tx, space, key, change))));
    const update: State['update'] = (key, change) => together((updateOne) => updateOne(key, change));
    return {
      get: (key) => inTurn(() => getEntry(pool, space, key).catch(unavailable)),
      update,
      together,
      add: (entry) => update(newId(), () => entry),
      list: (query) => inTurn(() => listEntries(pool, space, query).catch(unavailable)),
      delete: async (key) => (await inTurn(() => remove(pool, space, key))) > 0,
      clear: () => inTurn(() => remove(pool, space)),
    };
  };
}

async function getEntry(pool: Pool, space: StateSpace, key: string): ReturnType<State['get']> {
  const { orgId, workspaceId, scope, owner, integration } = space;
  const { rows } = await pool.query<EntryRow>({ ...GET, values: [orgId, workspaceId, scope, owner, integration, key] });
  return rows[0] && toEntry(rows[0]);
}

/**
 * Deletes an entry, or all entries if `key` is absent. Returns the number of deleted entries that had not expired, because callers never see expired
 * entries.
 */
function remove(pool: Pool, space: StateSpace, key?: string): Promise<number> {
  const { orgId, integration } = space;
  return changeState(pool, async (tx) => {
    const id = await lockKnownSpace(tx, space);
    if (id === undefined) return 0;
    const place = [orgId, id, integration];
    const { rows } =
      key === undefined
        ? await tx.query<{ lives: boolean }>(CLEAR, place)
        : await tx.query<{ lives: boolean }>(DELETE, [...place, key]);
    await countSpace(tx, orgId, id);
    return rows.filter(({ lives }) => lives).length;
  });
}

function tooBusy(error: unknown): never {
  const isFull = error instanceof QueueFullError || (error instanceof Error && error.name === 'TimeoutError');
  if (!isFull) throw error;
  throw new StateError('TOO_BUSY', 'Too many actions of this organization access stored state at the same time');
}

/**
 * Runs the work in one transaction. If the database connection breaks, throws StateError: OUTCOME_UNKNOWN during the commit, UNAVAILABLE before it.
 */
export async function changeState<T>(pool: Pool, work: (tx: PoolClient) => Promise<T>): Promise<T> {
  let commits = false;
  const change = async (tx: PoolClient): Promise<T> => {
    const changed = await work(tx);
    commits = true;
    return changed;
  };
  return inTransaction(pool, change).catch((error: unknown) => {
    if (commits && isOutage(error))
      throw new StateError('OUTCOME_UNKNOWN', 'It is unknown whether the change was stored', { cause: error });
    return unavailable(error);
  });
}

export function unavailable(error: unknown): never {
  if (!isOutage(error)) throw error;
  throw new StateError('UNAVAILABLE', 'The stored state is unavailable. Try again', { cause: error });
}
