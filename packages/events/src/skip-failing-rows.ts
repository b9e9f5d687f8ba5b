import { describeError, isOutage, isTimeLimit } from '@drawbridge/rpc';
import { type PoolClient } from 'pg';
import { type Log } from './bus.js';
import { inSavepoint } from './in-transaction.js';

/** Back-off of a failed row, which doubles with each consecutive failure. */
const REST_MS = { first: 1_000, longest: 300_000 };
/** Maximum number of stored keys. Beyond it the oldest keys are removed, and their rows are tried again. */
const MOST = 10_000;

interface Options {
  /** The name in log lines. */
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
  /** The end of the back-off, by the monotonic clock. */
  until: number;
}

/**
 * The rows of one background job that failed individually. Each row is skipped until its back-off has passed, so that it does not block other rows.
 * If the database or another service is unavailable, the methods rethrow the error, because no row caused it.
 */
export class PutAside {
  readonly #resting = new Map<string, Rest>();
  readonly #options: Required<Options>;

  constructor(options: Options) {
    this.#options = { longestMs: REST_MS.longest, ...options };
  }

  /** Returns the keys of rows that must be skipped now. */
  keys(): string[] {
    return [...this.#resting.keys()].filter((key) => this.#isResting(key));
  }

  /** Returns the number of rows that failed in their last attempt. */
  count(): number {
    // If a row had no attempt for this long, it was deleted, or another process handled it.
    const oldest = performance.now() - 2 * this.#options.longestMs;
    for (const [key, { until }] of this.#resting) if (until < oldest) this.#resting.delete(key);
    return this.#resting.size;
  }

  /** Removes the recorded failures of these rows. */
  succeeded(keys: Iterable<string>): void {
    for (const key of keys) this.#resting.delete(key);
  }

  /** Runs the work of one row, and returns whether it succeeded. Skips a row during its back-off. */
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
   * Runs `work` for all rows together. If that fails, runs it for each half, and so on, to isolate the rows that fail alone, for which it records a
   * failure. Each attempt uses a savepoint of `tx`. Returns the number of rows that succeeded.
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
    const { name, log, longestMs } = this.#options;
    const ms = Math.min(2 * (this.#resting.get(key)?.ms ?? REST_MS.first / 2), longestMs);
    this.#resting.set(key, { ms, until: performance.now() + ms });
    if (this.#resting.size > MOST) this.#resting.delete(this.#resting.keys().next().value!);
    const line = { work: name, row: key, error: describeError(error) };
    log.warn(line, 'background work failed for one row; other rows continue');
  }
}

/** Returns whether the failure is an outage. Exceeding a time limit does not count, because the row itself may be too slow. */
export function isAway(error: unknown): boolean {
  return isOutage(error) && !isTimeLimit(error);
}
