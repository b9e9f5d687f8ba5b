import { type Background } from '@drawbridge/rpc';
import type { Pool, PoolClient } from 'pg';
import { type Log } from './bus.js';
import { inTransaction } from './in-transaction.js';
import { type PutAside } from './put-aside.js';
import { repeat } from './repeat.js';

const EVERY_MS = 60_000;
/** Rows that go in one statement. */
const BATCH_ROWS = 1_000;
const DAYS = { published: 7, received: 7, emptied: 7, dead: 30 };

/** What goes by itself, and when. The rows are found by an index: `expired` is an order on it. */
export interface RetentionRule {
  /** With its schema. */
  table: string;
  key: string;
  /** Of rows that may go. */
  expired: string;
  /** The oldest first. */
  oldest: string;
}

/** Rows older than that many days, by their UUIDv7: the primary key is in order of time (RFC 9562 §5.7). */
export function olderThan(days: number, key: string): string {
  const millisecond = `floor(extract(epoch FROM now() - interval '${days} days') * 1000)::bigint`;
  return `${key} < (lpad(to_hex(${millisecond}), 12, '0') || '00000000000000000000')::uuid`;
}

/** Delivered events and noted ones, of a service with `EVENT_TABLES`. Unpublished ones wait however long it takes. */
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

/** Workspaces that are gone and empty, of any service with `WORKSPACE_TABLES`: nobody writes there for days any more. */
export function workspaceRule(schema: string): RetentionRule {
  const expired = `emptied_at < now() - interval '${DAYS.emptied} days'`;
  return { table: `${schema}.purged_workspaces`, key: 'workspace_id', oldest: 'emptied_at', expired };
}

/** Deletes what the rules let go, every minute, in small statements. Several processes at once take different rows. */
export function retention({ pool, log, rules }: { pool: Pool; log: Log; rules: RetentionRule[] }): Background {
  return repeat({ name: 'retention', everyMs: EVERY_MS, log }, async (stopping, aside) => {
    for (const rule of rules) {
      // A table of which nothing can be read must not keep the rows of others.
      await aside.attempt(rule.table, () => deleteExpired(pool, rule, { stopping, aside }));
    }
  });
}

interface Turn {
  stopping?: AbortSignal;
  aside: PutAside;
}

export async function deleteExpired(pool: Pool, rule: RetentionRule, { stopping, aside }: Turn): Promise<void> {
  while (!stopping?.aborted) {
    const { found, deleted } = await inTransaction(pool, (tx) => deleteSome(tx, rule, aside));
    // Where all fail the table is at fault: to try each of its rows would keep the other tables waiting.
    if (found < BATCH_ROWS || deleted === 0) return;
  }
}

interface Expired {
  ctid: string;
  key: string;
}

/** Returns how many rows it found and deleted. Their places stay the same while they are locked. */
async function deleteSome(
  tx: PoolClient,
  { table, key, expired, oldest }: RetentionRule,
  aside: PutAside,
): Promise<{ found: number; deleted: number }> {
  // A hash: a key may hold a text of a caller, and is logged when its row fails.
  const row = `'${table} ' || md5(ROW(${key})::text)`;
  const left = aside.keys().filter((one) => one.startsWith(`${table} `));
  const { rows } = await tx.query<Expired>(
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
