import { NIL_ID } from '@drawbridge/contracts';
import { inTransaction, type PutAside } from '@drawbridge/events';
import { findPiece } from '@drawbridge/pieces';
import { type Pool, type PoolClient } from 'pg';
import { type Due } from '../schedule/scheduler.js';
import { type DuePoll, MOST } from './choose-polls.js';

/**
 * Duration of the lease of a poll, which starts with the poll. Must exceed the slowest poll. After a crash, the source is due again when the lease
 * expires.
 */
const LEASE = '3 minutes';
/**
 * Maximum number of rows that one query returns. If more polls are due, further queries read the oldest polls of each organization and integration in
 * turn.
 */
const WINDOW = 1_000;

const POLLED = "status = 'enabled' AND poll_at IS NOT NULL";
const COLUMNS = `id, org_id AS "orgId", integration_name AS "integrationName", connection_id AS "connectionId", poll_at AS "dueAt"`;

const OLDEST = {
  name: 'oldest-due-polls',
  text: `SELECT ${COLUMNS} FROM triggers.sources WHERE ${POLLED} AND poll_at <= now() AND id <> ALL ($1::uuid[])
    ORDER BY poll_at LIMIT ${WINDOW}`,
};
/** Maximum number of combinations of organization and integration that one query visits, whether or not their polls are due. */
const GROUPS = 2_000;

/**
 * Finds the oldest due polls of each organization and integration, so that the backlog of one organization does not hide others. Each step of the
 * recursion is one index lookup. The last column contains the position from which the next query continues.
 */
const OLDEST_OF_EACH = {
  name: 'oldest-due-polls-of-each',
  text: `
    WITH RECURSIVE own(org_id, integration_name) AS (
      (SELECT org_id, integration_name FROM triggers.sources
        WHERE ${POLLED} AND (org_id, integration_name) > ($2::uuid, $3::text)
        ORDER BY org_id, integration_name LIMIT 1)
      UNION ALL
      SELECT next.* FROM own, LATERAL (
        SELECT org_id, integration_name FROM triggers.sources
        WHERE ${POLLED} AND (org_id, integration_name) > (own.org_id, own.integration_name)
        ORDER BY org_id, integration_name LIMIT 1) next),
    walked AS MATERIALIZED (SELECT * FROM own LIMIT ${GROUPS}),
    last AS (SELECT (SELECT ARRAY[org_id::text, integration_name] FROM walked OFFSET ${GROUPS - 1}) AS after)
    SELECT due.*, last.after FROM last LEFT JOIN (
      SELECT due.* FROM walked, LATERAL (
        SELECT ${COLUMNS} FROM triggers.sources s
        WHERE ${POLLED} AND s.org_id = walked.org_id AND s.integration_name = walked.integration_name AND poll_at <= now()
          AND id <> ALL ($1::uuid[])
          AND s.org_id || ' ' || s.integration_name || ' ' || coalesce(s.connection_id::text, '') <> ALL ($4::text[])
        ORDER BY poll_at LIMIT ${MOST.ofOrganization}) due
      LIMIT ${WINDOW}) due ON true`,
};
/** Leases polls. Skips polls that another process leased first, because only one process may poll a source at a time. */
const LEASE_POLLS = {
  name: 'lease-polls',
  text: `UPDATE triggers.sources SET poll_at = now() + interval '${LEASE}', leased_until = now() + interval '${LEASE}', notified_at = NULL WHERE id IN (
      SELECT id FROM triggers.sources
      WHERE org_id = ANY($1::uuid[]) AND id = ANY($2::uuid[]) AND ${POLLED} AND poll_at <= now() FOR UPDATE SKIP LOCKED)
    RETURNING id, poll_at AS at`,
};

interface Row extends Omit<DuePoll, 'origin'> {
  integrationName: string;
  connectionId: string | null;
}

/** A poll that this process has leased. */
export type LeasedPoll = DuePoll & Due;

/** The position after which the next query of a backlog continues: an organization and an integration. */
export type After = readonly [orgId: string, integrationName: string];

export const FIRST: After = [NIL_ID, ''];

/**
 * Finds due polls: all of them or, in a backlog, the oldest polls of each organization and integration after the position `after`. `skipped` contains
 * the ids of sources that failed and are not tried in this round. `full` contains the origins without a free slot, which are skipped so that the
 * backlog of one origin does not hide others of the same integration.
 */
export async function findDuePolls(
  pool: Pool,
  { skipped, after, full = [] }: { skipped: readonly string[]; after: After; full?: readonly string[] },
): Promise<{ polls: DuePoll[]; after: After }> {
  const { rows } = await pool.query<Row>({ ...OLDEST, values: [skipped] });
  if (rows.length < WINDOW) return { polls: rows.map(toPoll), after: FIRST };
  const { rows: walked } = await pool.query<Row & { after: After | null }>({
    ...OLDEST_OF_EACH,
    values: [skipped, ...after, full],
  });
  const some = walked.filter(({ id }) => id !== null);
  const last = some.length < WINDOW ? undefined : some.at(-1);
  // Starts again with the oldest polls if nothing is due after the position `after`.
  const found = some.length > 0 ? some : rows;
  return { polls: found.map(toPoll), after: last ? [last.orgId, last.integrationName] : (walked[0]?.after ?? FIRST) };
}

function toPoll({ integrationName, connectionId, ...poll }: Row): DuePoll {
  return { ...poll, origin: originOf(integrationName, connectionId) };
}

/** Leases polls for this process. A source with a row that causes an error is skipped, and the others continue. */
export async function leasePolls(pool: Pool, polls: readonly DuePoll[], aside: PutAside): Promise<LeasedPoll[]> {
  if (polls.length === 0) return [];
  const leased = new Map<string, string>();
  const lease = async (tx: PoolClient, some: readonly DuePoll[]): Promise<void> => {
    const values = [some.map(({ orgId }) => orgId), some.map(({ id }) => id)];
    const { rows } = await tx.query<{ id: string; at: Date }>({ ...LEASE_POLLS, values });
    for (const { id, at } of rows) leased.set(id, at.toISOString());
  };
  await inTransaction(pool, (tx) =>
    aside.byHalves(tx, polls, { keyOf: ({ id }) => id, work: (some) => lease(tx, some) }),
  );
  return polls.flatMap((poll) => {
    const at = leased.get(poll.id);
    return at === undefined ? [] : [{ ...poll, at }];
  });
}

/**
 * Returns the origin for which concurrent polls are limited. A piece without a fixed origin calls the host of its connection, so each connection
 * counts as an origin.
 */
function originOf(integrationName: string, connectionId: string | null): string {
  const { origin } = findPiece(integrationName) ?? {};
  const isFixed = typeof origin === 'string' && !origin.includes('{');
  return isFixed ? origin : `${integrationName} ${connectionId ?? ''}`;
}
