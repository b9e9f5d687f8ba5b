import type { Socket } from 'node:net';
import { type buildConnector, Client } from 'undici';
import { EgressError } from './egress-error.js';

/** For whom a connection is opened, and until when anybody waits for it. */
export interface ConnectionUse {
  tenant: string;
  signal: AbortSignal;
}

export type OpenSocket = (options: buildConnector.Options, use: ConnectionUse) => Promise<Socket>;

export interface ConnectionOptions {
  open: OpenSocket;
  /** The longest that a provider may ask for it to be kept idle. */
  maxIdleMs: number;
}

export interface PoolLimits {
  /** Idle connections kept, of one tenant and in all; the longest idle ones go first. */
  idleOfTenant: number;
  idle: number;
  maxAgeMs: number;
}

/** Of an answer's head or trailers; Node.js's own default, whatever NODE_OPTIONS says. */
const MAX_HEADERS = 16_384;

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

/** One connection to one origin, lent to one request at a time. It opens with its first request. */
export class Connection {
  readonly client: Client;
  /** Of the request that has it, or had it last. */
  tenant = '';
  /** Called after bytes were read; undefined between requests. */
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
    // undici's own limits of time are off: one limit for the whole of a request replaces them.
    const own = { headersTimeout: 0, bodyTimeout: 0, maxHeaderSize: MAX_HEADERS, keepAliveMaxTimeout: maxIdleMs };
    this.client = new Client(origin, { connect, ...own });
    this.client.on('connect', () => this.opened());
  }

  /** Of the open connection, chunk sizes, headers and all. */
  get bytesRead(): number {
    return this.socket?.bytesRead ?? 0;
  }

  isUsable(maxAgeMs: number): boolean {
    return this.socket?.destroyed === false && performance.now() - this.openedAt < maxAgeMs;
  }

  /** At once, open or still opening. What was written may have arrived. */
  end(): void {
    this.ended.abort(new Error('the connection is no longer wanted'));
    void this.client.destroy();
  }

  private opened(): void {
    this.openedAt = performance.now();
    // undici listens already: by the time that ours is called, what was read is parsed.
    this.socket?.on('readable', () => this.onRead?.());
  }
}
