import { type Background } from '@drawbridge/rpc';
import type { Pool } from 'pg';
import { type Log } from './bus.js';
import { repeat } from './repeat.js';

const EVERY_MS = 60_000;
/** Rows that go in one statement. */
const BATCH_ROWS = 1_000;
const DAYS = { published: 7, received: 7, emptied: 7 };

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
  return [{ table: `${schema}.outbox`, key: 'id', oldest: 'id', expired }, inboxRule(schema)];
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
  return repeat({ name: 'retention', everyMs: EVERY_MS, log }, async () => {
    for (const rule of rules) await deleteExpired(pool, rule);
  });
}

export async function deleteExpired(pool: Pool, { table, key, expired, oldest }: RetentionRule): Promise<void> {
  const keys = key
    .split(',')
    .map((one) => `old.${one.trim()} = ${table}.${one.trim()}`)
    .join(' AND ');
  const sql = `WITH old AS MATERIALIZED (
      SELECT ${key} FROM ${table} WHERE ${expired} ORDER BY ${oldest} LIMIT ${BATCH_ROWS} FOR UPDATE SKIP LOCKED)
    DELETE FROM ${table} USING old WHERE ${keys}`;
  for (;;) {
    const { rowCount } = await pool.query(sql);
    if ((rowCount ?? 0) < BATCH_ROWS) return;
  }
}
