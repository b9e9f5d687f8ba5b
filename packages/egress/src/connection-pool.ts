import type { Socket } from 'node:net';
import { type buildConnector, Client } from 'undici';
import { EgressError } from './egress-error.js';

/** The tenant for which a connection is opened, and the signal that cancels opening it. */
export interface ConnectionUse {
  tenant: string;
  signal: AbortSignal;
}

export type OpenSocket = (options: buildConnector.Options, use: ConnectionUse) => Promise<Socket>;

export interface ConnectionOptions {
  open: OpenSocket;
  /** Upper limit of the keep-alive time that a provider may request. */
  maxIdleMs: number;
}

export interface PoolLimits {
  /** Maximum number of idle connections, per tenant and in total. Connections that have been idle longest are closed first. */
  idleOfTenant: number;
  idle: number;
  maxAgeMs: number;
}

/** Maximum size of a response's headers or trailers. It is the default of Node.js, which NODE_OPTIONS must not change. */
const MAX_HEADERS = 16_384;

/**
 * A pool of idle connections, limited in number and age. It replaces undici's own pool, in which each origin decides how long its connections stay
 * open.
 */
export class ConnectionPool {
  /** Ordered by idle time, longest first. */
  private idle: Connection[] = [];
  private readonly lent = new Set<Connection>();
  private isClosed = false;

  constructor(private readonly options: ConnectionOptions & PoolLimits) {}

  /**
   * Returns an idle connection of this tenant to the origin, or a new connection. Tenants never share connections: a server that disagrees about
   * where a request ends may treat the next request on the connection as part of it. Throws UNREACHABLE after `close`.
   */
  acquire(origin: string, tenant: string): Connection {
    if (this.isClosed)
      throw new EgressError('UNREACHABLE', 'the connection was refused because this process is shutting down');
    const { maxAgeMs } = this.options;
    const isIts = (one: Connection): boolean => one.origin === origin && one.tenant === tenant;
    const kept = this.idle.findLast((one) => isIts(one) && one.isUsable(maxAgeMs));
    const connection = kept ? this.forget(kept) : this.make(origin);
    connection.tenant = tenant;
    this.lent.add(connection);
    return connection;
  }

  /** Returns a connection to the pool after its response was read completely. */
  release(connection: Connection): void {
    // Waits one event loop iteration, after which undici has closed a connection that cannot be reused.
    setImmediate(() => {
      this.lent.delete(connection);
      if (this.isClosed || !connection.isUsable(this.options.maxAgeMs)) return connection.end();
      this.idle.push(connection);
      this.surplus(connection.tenant)?.end();
    });
  }

  /** Closes a connection with a response that was not read completely. */
  destroy(connection: Connection): void {
    this.lent.delete(connection);
    connection.end();
  }

  /** The number of idle connections. */
  get size(): number {
    return this.idle.length;
  }

  /** Waits for the current requests, then closes all connections. */
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

/** A connection to one origin, used by one request at a time. It is opened by its first request. */
export class Connection {
  readonly client: Client;
  /** The tenant of the current or last request. */
  tenant = '';
  /** Called after bytes were read. Undefined between requests. */
  onRead: (() => void) | undefined;
  private readonly ended = new AbortController();
  private socket: Socket | undefined;
  private openedAt = 0;

  constructor(
    readonly origin: string,
    { open, maxIdleMs }: ConnectionOptions,
  ) {
    const connect: buildConnector.connector = (options, callback) => {
      open(options, { tenant: this.tenant, signal: this.ended.signal }).then(
        (socket) => callback(null, (this.socket = socket)),
        (error: Error) => callback(error, null),
      );
    };
    // Disables undici's time limits, because one limit for the whole request replaces them.
    const own = { headersTimeout: 0, bodyTimeout: 0, maxHeaderSize: MAX_HEADERS, keepAliveMaxTimeout: maxIdleMs };
    this.client = new Client(origin, { connect, ...own });
    this.client.on('connect', () => this.opened());
  }

  /** Number of bytes read on the open connection, including headers and chunk sizes. */
  get bytesRead(): number {
    return this.socket?.bytesRead ?? 0;
  }

  isUsable(maxAgeMs: number): boolean {
    return this.socket?.destroyed === false && performance.now() - this.openedAt < maxAgeMs;
  }

  /** Closes the connection immediately, even while it is being opened. Bytes that were already written may have arrived. */
  end(): void {
    this.ended.abort(new Error('the connection was closed before it was established'));
    void this.client.destroy();
  }

  private opened(): void {
    this.openedAt = performance.now();
    // undici registered its listener first, so it has already parsed the bytes when this listener is called.
    this.socket?.on('readable', () => this.onRead?.());
  }
}
