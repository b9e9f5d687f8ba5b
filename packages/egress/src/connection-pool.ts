import { Connection, type ConnectionOptions } from './connection.js';
import { EgressError } from './egress-error.js';

export interface PoolLimits {
  /** Idle connections kept, of one tenant and in all; the longest idle ones go first. */
  idleOfTenant: number;
  idle: number;
  maxAgeMs: number;
}

/** Idle connections, bounded in number and age: undici's own pool keeps what each origin asks it to keep. */
export class ConnectionPool {
  /** Longest idle first. */
  private idle: Connection[] = [];
  private readonly lent = new Set<Connection>();
  private isClosed = false;

  constructor(private readonly options: ConnectionOptions & PoolLimits) {}

  /**
   * An idle connection of this tenant to the origin, or a new one: where a server reads the end of a request otherwise than we
   * wrote it, the next one on its connection is answered for that, or read as a part of it. Throws UNREACHABLE after `close`.
   */
  acquire(origin: string, tenant: string): Connection {
    if (this.isClosed) throw new EgressError('UNREACHABLE', 'the connection was refused: this process is ending');
    const { maxAgeMs } = this.options;
    const isIts = (one: Connection): boolean => one.origin === origin && one.tenant === tenant;
    const kept = this.idle.findLast((one) => isIts(one) && one.isUsable(maxAgeMs));
    const connection = kept ? this.forget(kept) : this.make(origin);
    connection.tenant = tenant;
    this.lent.add(connection);
    return connection;
  }

  /** After an answer that was read to its end. */
  release(connection: Connection): void {
    // One turn of the event loop later: by then undici has closed it if it can't be used again.
    setImmediate(() => {
      this.lent.delete(connection);
      if (this.isClosed || !connection.isUsable(this.options.maxAgeMs)) return connection.end();
      this.idle.push(connection);
      this.surplus(connection.tenant)?.end();
    });
  }

  /** After anything else. */
  destroy(connection: Connection): void {
    this.lent.delete(connection);
    connection.end();
  }

  /** Idle connections. */
  get size(): number {
    return this.idle.length;
  }

  /** Lets the requests under way end. */
  async close(): Promise<void> {
    this.isClosed = true;
    for (const connection of this.idle.splice(0)) connection.end();
    await Promise.all([...this.lent].map(({ client }) => client.close()));
  }

  private make(origin: string): Connection {
    const connection = new Connection(origin, this.options);
    connection.client.on('disconnect', () => this.forget(connection));
    return connection;
  }

  private surplus(tenant: string): Connection | undefined {
    const own = this.idle.filter((one) => one.tenant === tenant);
    if (own[0] && own.length > this.options.idleOfTenant) return this.forget(own[0]);
    return this.idle.length > this.options.idle ? this.idle.shift() : undefined;
  }

  private forget(connection: Connection): Connection {
    this.idle = this.idle.filter((one) => one !== connection);
    return connection;
  }
}
