import { describeError, isOutage, isTimeLimit } from '@drawbridge/rpc';
import { type PoolClient } from 'pg';
import { type Log } from './bus.js';
import { inSavepoint } from './in-transaction.js';

/** Back-off of a failed row, which doubles with each failure in a row. */
const REST_MS = { first: 1_000, longest: 300_000 };
/** Limit of remembered keys. Beyond it the oldest keys are forgotten, and their rows are tried again. */
const MOST = 10_000;

interface Options {
  /** For the log. */
  name: string;
  log: Log;
  longestMs?: number;
}

export interface RowWork<Row> {
  keyOf(row: Row): string;
  work(rows: readonly Row[]): Promise<unknown>;
}

interface Rest {
  ms: number;
  /** Measured by the monotonic clock. */
  until: number;
}

/**
 * The rows of one background job that failed on their own. Each is skipped until its back-off ends, so that it does not block the others. If the
 * database or a peer is unavailable no row is at fault: the methods rethrow the error.
 */
export class PutAside {
  readonly #resting = new Map<string, Rest>();
  readonly #name: string;
  readonly #log: Log;
  readonly #longestMs: number;

  constructor({ name, log, longestMs = REST_MS.longest }: Options) {
    this.#name = name;
    this.#log = log;
    this.#longestMs = longestMs;
  }

  /** Returns the keys to skip now. */
  keys(): string[] {
    return [...this.#resting.keys()].filter((key) => this.#isResting(key));
  }

  /** Returns how many rows failed at their last attempt. */
  count(): number {
    // A row without an attempt for this long is deleted, or another process handled it.
    const oldest = performance.now() - 2 * this.#longestMs;
    for (const [key, { until }] of this.#resting) if (until < oldest) this.#resting.delete(key);
    return this.#resting.size;
  }

  /** Clears the failures of these rows. */
  succeeded(keys: Iterable<string>): void {
    for (const key of keys) this.#resting.delete(key);
  }

  /** Runs the work of one row and returns whether it succeeded. Skips a row during its back-off. */
  async attempt(key: string, work: () => Promise<unknown>): Promise<boolean> {
    if (this.#isResting(key)) return false;
    try {
      await work();
    } catch (error) {
      this.#note(key, error);
      return false;
    }
    this.succeeded([key]);
    return true;
  }

  /**
   * Runs `work` for all rows at once. If that fails, tries each half, down to the rows that fail alone, which are put aside. Each attempt is a
   * savepoint of `tx`. Returns how many rows succeeded.
   */
  async byHalves<Row>(tx: PoolClient, rows: readonly Row[], { keyOf, work }: RowWork<Row>): Promise<number> {
    if (rows.length === 0) return 0;
    try {
      await inSavepoint(tx, () => work(rows));
    } catch (error) {
      if (rows.length === 1) {
        this.#note(keyOf(rows[0]!), error);
        return 0;
      }
      if (isAway(error)) throw error;
      const middle = Math.ceil(rows.length / 2);
      const done = await this.byHalves(tx, rows.slice(0, middle), { keyOf, work });
      return done + (await this.byHalves(tx, rows.slice(middle), { keyOf, work }));
    }
    this.succeeded(rows.map(keyOf));
    return rows.length;
  }

  #isResting(key: string): boolean {
    return (this.#resting.get(key)?.until ?? 0) > performance.now();
  }

  #note(key: string, error: unknown): void {
    if (isAway(error)) throw error;
    const ms = Math.min(2 * (this.#resting.get(key)?.ms ?? REST_MS.first / 2), this.#longestMs);
    this.#resting.set(key, { ms, until: performance.now() + ms });
    if (this.#resting.size > MOST) this.#resting.delete(this.#resting.keys().next().value!);
    const line = { work: this.#name, row: key, error: describeError(error) };
    this.#log.warn(line, 'background work failed for one row; other rows continue');
  }
}

/** Returns whether the failure is an outage. A time limit does not count, because the row itself may be too slow. */
export function isAway(error: unknown): boolean {
  return isOutage(error) && !isTimeLimit(error);
}
