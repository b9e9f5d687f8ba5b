import { describeError, isOutage, isTimeLimit } from '@drawbridge/rpc';
import { type PoolClient } from 'pg';
import { type Log } from './bus.js';
import { inSavepoint } from './in-transaction.js';

/** How long a row is left out after it failed; each failure in a row doubles it. */
const REST_MS = { first: 1_000, longest: 300_000 };
/** Keys that are remembered: the first ones are forgotten, and tried again, when there are more. */
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
  /** On the monotonic clock. */
  until: number;
}

/**
 * The rows of one background job that failed by themselves. Each is left out of the job's work until its back-off ends, so that it
 * does not stop the others. Where the database or a peer is away no row is at fault: then the methods throw the error again.
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

  /** The keys to leave out now. */
  keys(): string[] {
    return [...this.#resting.keys()].filter((key) => this.#isResting(key));
  }

  /** How many rows failed when they were last tried. */
  count(): number {
    // A row that was not tried again for so long is gone, or another process took it.
    const oldest = performance.now() - 2 * this.#longestMs;
    for (const [key, { until }] of this.#resting) if (until < oldest) this.#resting.delete(key);
    return this.#resting.size;
  }

  /** Forgets that these rows failed. */
  succeeded(keys: Iterable<string>): void {
    for (const key of keys) this.#resting.delete(key);
  }

  /** Does the work of one row and returns whether it succeeded. A row that is put aside is not tried. */
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
   * Does `work` for all rows in one go. Where that fails, does it for each half, down to the rows that fail alone, which it puts
   * aside. Each try is a savepoint of `tx`. Returns how many rows succeeded.
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
    this.#log.warn(line, 'background work failed for one row; others go on');
  }
}

/** A time limit may be the row's own fault. */
export function isAway(error: unknown): boolean {
  return isOutage(error) && !isTimeLimit(error);
}
