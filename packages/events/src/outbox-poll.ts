import { createHash } from 'node:crypto';
import { describeError } from '@drawbridge/rpc';
import { type Pool } from 'pg';
import { type Log } from './bus.js';

/** Pause between two searches in milliseconds: `soon` after a relay found rows; otherwise it doubles up to `longest`. */
const PAUSE_MS = { soon: 200, longest: 500 };
/** While a search takes longer than this, for example because a table is locked, the relays read their outboxes themselves, once in this interval. */
const LATE_MS = 500;

export interface PolledOutbox {
  schema: string;
  log: Log;
  /** Returns true if the relay is idle until `wake` is called, and false while it publishes or pauses after a failure. */
  isWaiting(): boolean;
  wake(): void;
}

const polls = new WeakMap<Pool, OutboxPoll>();

/** Returns the search that all relays on `pool` share. */
export function outboxPollOf(pool: Pool): OutboxPoll {
  const known = polls.get(pool) ?? new OutboxPoll(pool);
  polls.set(pool, known);
  return known;
}

/**
 * Searches for rows that were written without `wake`, in the outboxes of all services that share a pool, and wakes the relays that have rows. One
 * statement searches all outboxes, because a statement for each was half of all statements of an idle process.
 */
class OutboxPoll {
  private readonly outboxes = new Set<PolledOutbox>();
  private statement = { name: '', text: '' };
  private pause = PAUSE_MS.soon;
  private isSearching = false;
  private hasFailed = false;
  private next: { at: number; timer: NodeJS.Timeout } | undefined;

  constructor(private readonly pool: Pool) {}

  add(outbox: PolledOutbox): void {
    this.outboxes.add(outbox);
    this.statement = toStatement(this.outboxes);
    if (!this.next && !this.isSearching) this.schedule();
  }

  remove(outbox: PolledOutbox): void {
    this.outboxes.delete(outbox);
    if (this.outboxes.size > 0) this.statement = toStatement(this.outboxes);
    else this.cancel();
  }

  /** Shortens the pause before the next search, because more rows are likely. */
  hurry(): void {
    this.pause = PAUSE_MS.soon / 2;
    if (this.next && this.next.at > performance.now() + PAUSE_MS.soon) this.schedule();
  }

  private schedule(): void {
    this.cancel();
    this.pause = Math.min(this.pause * 2, PAUSE_MS.longest);
    this.next = { at: performance.now() + this.pause, timer: setTimeout(() => void this.search(), this.pause) };
  }

  private cancel(): void {
    clearTimeout(this.next?.timer);
    this.next = undefined;
  }

  private async search(): Promise<void> {
    this.next = undefined;
    this.isSearching = true;
    const late = setInterval(() => wake(this.outboxes), LATE_MS);
    const isNeeded = [...this.outboxes].some((outbox) => outbox.isWaiting());
    if (isNeeded) wake(await this.find());
    clearInterval(late);
    this.isSearching = false;
    if (this.outboxes.size > 0) this.schedule();
  }

  /** Returns the outboxes with rows. If the search fails, returns all outboxes, because each relay handles and logs its own failure. */
  private async find(): Promise<PolledOutbox[]> {
    const all = [...this.outboxes];
    try {
      const { rows } = await this.pool.query<{ schema: string }>(this.statement);
      this.hasFailed = false;
      return all.filter(({ schema }) => rows.some((row) => row.schema === schema));
    } catch (error) {
      const line = { error: describeError(error) };
      if (!this.hasFailed) all[0]?.log.warn(line, 'the outboxes could not be searched together; reading each');
      this.hasFailed = true;
      return all;
    }
  }
}

function wake(outboxes: Iterable<PolledOutbox>): void {
  for (const outbox of outboxes) if (outbox.isWaiting()) outbox.wake();
}

/** Returns at most one row for each outbox. ORDER BY makes PostgreSQL use the partial index, so that it reads no published rows. */
function toStatement(outboxes: Iterable<PolledOutbox>): { name: string; text: string } {
  const schemas = [...new Set(Array.from(outboxes, ({ schema }) => schema))].sort();
  const text = schemas
    .map((schema) => {
      const oldest = `FROM ${schema}.outbox WHERE published_at IS NULL ORDER BY created_at LIMIT 1`;
      return `(SELECT '${schema}' AS schema ${oldest})`;
    })
    .join(' UNION ALL ');
  return { name: `poll-outboxes-${createHash('sha256').update(text).digest('hex').slice(0, 16)}`, text };
}
