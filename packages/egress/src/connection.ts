import type { Socket } from 'node:net';
import { type buildConnector, Client } from 'undici';

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

/** Of an answer's head or trailers; Node.js's own default, whatever NODE_OPTIONS says. */
const MAX_HEADERS = 16_384;

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
