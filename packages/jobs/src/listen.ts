import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { query, type Prepared } from './statements.js';

const AGAIN_MS = 1_000;

/**
 * A permanent connection of a queue for notifications and for the renewal of leases, which must not wait for a free connection of the pool. It is
 * replaced when it fails.
 */
export class Listener {
  private client: pg.PoolClient | undefined;
  private readonly closing = new AbortController();
  private replace = (): void => undefined;

  constructor(
    private readonly pool: pg.Pool,
    private readonly channel: string,
    private readonly onNotice: (payload?: string) => void,
  ) {
    // Several queues share the pool of a process. Without this, their permanent connections would leave few connections for queries.
    pool.options.max += 1;
  }

  open(): void {
    void this.keepOpen();
  }

  close(): void {
    this.closing.abort();
    this.replace();
  }

  /**
   * Runs a statement on this connection, or on a connection of the pool while this connection is being replaced. A failure replaces the connection,
   * because a connection that stopped responding may report no error for many minutes.
   */
  async query<Row extends object>(sql: Prepared, ...values: unknown[]): Promise<Row[]> {
    const { client, replace } = this;
    try {
      return await query<Row>(client ?? this.pool, sql, ...values);
    } catch (error) {
      if (client) replace();
      throw error;
    }
  }

  private async keepOpen(): Promise<void> {
    while (!this.closing.signal.aborted) await this.hold().catch(() => sleep(AGAIN_MS, undefined, { ref: false }));
  }

  /** Opens the connection. Resolves when it is lost or closed. */
  private async hold(): Promise<void> {
    const client = await this.pool.connect();
    const ended = new Promise<void>((resolve) => {
      this.replace = resolve;
      client.once('error', () => resolve()).once('end', resolve);
    });
    try {
      client.on('notification', ({ payload }) => this.onNotice(payload));
      await client.query(`LISTEN ${pg.escapeIdentifier(this.channel)}`);
      this.client = client;
      // Notifications that were sent before the connection was open are not repeated, so the queue searches for jobs now.
      this.onNotice();
      if (!this.closing.signal.aborted) await ended;
    } finally {
      this.client = undefined;
      // Closes the connection. If it were returned to the pool, it would still receive notifications.
      client.release(true);
    }
  }
}
