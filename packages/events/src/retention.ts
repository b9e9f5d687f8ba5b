import { type Background } from '@drawbridge/rpc';
import type { Pool, PoolClient } from 'pg';
import { type Log } from './bus.js';
import { inTransaction } from './in-transaction.js';
import { type PutAside } from './skip-failing-rows.js';
import { repeat } from './repeat.js';

const EVERY_MS = 60_000;
/** Maximum number of rows per statement. */
const BATCH_ROWS = 1_000;
const DAYS = { published: 7, received: 7, emptied: 7, dead: 30 };

/** Selects the rows of a table that expire. An index must support `expired` and `oldest`. */
export interface RetentionRule {
  /** The schema-qualified name of the table. */
  table: string;
  key: string;
  /** The SQL condition for expired rows. */
  expired: string;
  /** The SQL order that puts the oldest row first. */
  oldest: string;
}

/** Returns a condition for rows older than `days`. It compares their UUIDv7, because the primary key is ordered by time (RFC 9562 §5.7). */
export function olderThan(days: number, key: string): string {
  const millisecond = `floor(extract(epoch FROM now() - interval '${days} days') * 1000)::bigint`;
  return `${key} < (lpad(to_hex(${millisecond}), 12, '0') || '00000000000000000000')::uuid`;
}

/** Returns the rules for published events, dead letters and inbox ids of a service that has `EVENT_TABLES`. Unpublished events never expire. */
export function eventRules(schema: string): RetentionRule[] {
  const published = `published_at < now() - interval '${DAYS.published} days'`;
  const expired = `${olderThan(DAYS.published, 'id')} AND ${published}`;
  const dead = `failed_at < now() - interval '${DAYS.dead} days'`;
  return [
    { table: `${schema}.outbox`, key: 'id', oldest: 'id', expired },
    { table: `${schema}.dead_events`, key: 'id', oldest: 'failed_at', expired: dead },
    inboxRule(schema),
  ];
}

export function inboxRule(schema: string): RetentionRule {
  const received = `received_at < now() - interval '${DAYS.received} days'`;
  const expired = `${olderThan(DAYS.received, 'event_id')} AND ${received}`;
  return { table: `${schema}.inbox`, key: 'event_id', oldest: 'event_id', expired };
}

/**
 * Returns the rule for tombstones of purged workspaces, for a service that has `WORKSPACE_TABLES`. A write that arrives days after the deletion of
 * its workspace is not expected.
 */
export function workspaceRule(schema: string): RetentionRule {
  const expired = `emptied_at < now() - interval '${DAYS.emptied} days'`;
  return { table: `${schema}.purged_workspaces`, key: 'workspace_id', oldest: 'emptied_at', expired };
}

/** Deletes expired rows every minute, in small statements. Several processes that run at the same time delete different rows. */
export function retention({ pool, log, rules }: { pool: Pool; log: Log; rules: RetentionRule[] }): Background {
  return repeat({ name: 'retention', everyMs: EVERY_MS, log }, async (stopping, aside) => {
    for (const rule of rules) {
      // A table that cannot be read must not block other tables.
      await aside.attempt(rule.table, () => deleteExpired(pool, rule, { stopping, aside }));
    }
  });
}

export async function deleteExpired(
  pool: Pool,
  rule: RetentionRule,
  { stopping, aside }: { stopping?: AbortSignal; aside: PutAside },
): Promise<void> {
  while (!stopping?.aborted) {
    const { found, deleted } = await inTransaction(pool, (tx) => deleteSome(tx, rule, aside));
    // If no row could be deleted, the cause is probably the table. Further batches would only delay other tables.
    if (found < BATCH_ROWS || deleted === 0) return;
  }
}

/** Returns the number of rows that it found and deleted. A ctid is stable while its row is locked. */
async function deleteSome(
  tx: PoolClient,
  { table, key, expired, oldest }: RetentionRule,
  aside: PutAside,
): Promise<{ found: number; deleted: number }> {
  // The key is hashed, because it may contain input of a caller and is logged if its row fails.
  const row = `'${table} ' || md5(ROW(${key})::text)`;
  const left = aside.keys().filter((one) => one.startsWith(`${table} `));
  const { rows } = await tx.query<{ ctid: string; key: string }>(
    `SELECT ctid::text AS ctid, ${row} AS key FROM ${table}
     WHERE ${expired} ${left.length > 0 ? `AND ${row} <> ALL ($1::text[])` : ''}
     ORDER BY ${oldest} LIMIT ${BATCH_ROWS} FOR UPDATE SKIP LOCKED`,
    left.length > 0 ? [left] : [],
  );
  const deleted = await aside.byHalves(tx, rows, {
    keyOf: (one) => one.key,
    work: (some) => tx.query(`DELETE FROM ${table} WHERE ctid = ANY ($1::tid[])`, [some.map(({ ctid }) => ctid)]),
  });
  return { found: rows.length, deleted };
}
