import { once } from 'node:events';
import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo, type Socket } from 'node:net';
import { type Duplex } from 'node:stream';
import { type ApiError } from '@drawbridge/contracts';
import { type Background, type Logger } from '@drawbridge/rpc';
import { type Express } from 'express';
import { closeUnread, connectionLimits, limitConnections } from './admission/connections.js';
import { type RateLimits } from './admission/rate-limits.js';
import { drain } from './drain.js';
import { messageClasses } from './http/message-classes.js';
import { connectNotAllowed, LINGER_MS, sendRefusal, tooManyConnections, unparsableRequest } from './http/refusal.js';

/**
 * With SO_REUSEPORT the kernel distributes connections evenly over the listening processes. Otherwise `node:cluster` shares one socket, and the
 * process that wakes up first takes all waiting connections. Node.js supports the option since 22.12.
 */
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
const REUSES_PORT = process.platform === 'linux' && (major > 22 || (major === 22 && minor >= 12));

const TIMES = {
  headersTimeout: 10_000,
  // Time limit for the whole request. `readBody` rejects a slow body much earlier.
  requestTimeout: 100_000,
  // Must exceed the 60 s idle timeout of common load balancers. Otherwise a load balancer can send a request on a connection that the gateway is
  // closing.
  keepAliveTimeout: 65_000,
  connectionsCheckingInterval: 1_000,
};
/**
 * The idle time that responses announce. Node.js would announce `keepAliveTimeout`, and a client that reuses its connection just before that time
 * could send a request on a connection that the gateway is closing.
 */
const ANNOUNCED = 'timeout=60';

interface ListenerOptions {
  host: string;
  port: number;
  log: Logger;
  limits: RateLimits;
  /** Infinity means no limit. */
  connectionsPerAddress: number;
  /** True if other processes of this product listen on the same port. */
  sharesPort: boolean;
  /** Aborted shortly before the deadline, so that requests that do not complete by themselves can still get a response. */
  closing: AbortController;
  /** Aborted when the gateway accepts no further requests. */
  draining: AbortController;
}

/** Serves `app`. `stop` waits for requests in progress until the deadline. */
export function httpListener(app: Express, options: ListenerOptions): Background {
  const { host, port, log, closing, draining, sharesPort } = options;
  const sharing = sharesPort && REUSES_PORT ? { exclusive: true, reusePort: true } : {};
  const { server, closeSilent } = toServer(app, options);
  return {
    async start() {
      await new Promise<void>((resolve, reject) => {
        server
          .once('error', (error) => reject(listenFailure(error, { host, port })))
          .listen({ port, host, ...sharing }, resolve);
      });
      log.info({ address: host, port: (server.address() as AddressInfo).port }, 'listening');
    },
    stop(deadline) {
      draining.abort();
      const closeIdle = (): void => (server.closeIdleConnections(), closeSilent());
      return drain(server, { closing, closeIdle, deadline });
    },
  };
}

function toServer(
  app: Express,
  { limits, connectionsPerAddress, draining }: ListenerOptions,
): { server: Server; closeSilent(): void } {
  const answering = new WeakMap<Duplex, ServerResponse>();
  const announce = announceIdleTime(draining.signal);
  const answer = serveInOrder((request, response) => {
    const { socket } = request;
    answering.set(socket, response);
    announce(response);
    response.once('finish', () => request.complete || setTimeout(hangUp, LINGER_MS, request));
    app(request, response);
  });
  const refuseConnection = (socket: Duplex & { remoteAddress?: string }, error: ApiError): void =>
    sendRefusal(socket, error, limits.countRefused(socket.remoteAddress));

  // Node.js would reject a missing Host and an unknown Expect header with an empty response. `requireValidHeaders` rejects them with an API error.
  const server = createServer({ ...TIMES, ...messageClasses(app), requireHostHeader: false }, answer)
    .on('checkContinue', answer)
    .on('checkExpectation', answer)
    .on('connect', (_request, socket) => refuseConnection(socket, connectNotAllowed()))
    .on('clientError', (error, socket) => {
      if (socket.writableEnded) return; // already rejected, and the response is still being sent
      const response = answering.get(socket);
      const isLost = !socket.writable || (response?.headersSent && !response.closed);
      if (isLost) socket.destroy();
      else refuseConnection(socket, unparsableRequest(error));
    });
  const full = (socket: Duplex, what: 'network' | 'total'): void => {
    refuseConnection(socket, tooManyConnections(what));
    socket.once('finish', () => socket.destroy()); // the limits no longer count the connection, so it must not stay open
  };
  const isUnread = closeUnread(server);
  const closeSilent = limitConnections(server, { ...connectionLimits(connectionsPerAddress), isUnread, refuse: full });
  return { server, closeSilent };
}

function hangUp(request: IncomingMessage): void {
  if (!request.complete) request.socket.destroy();
}

/** Maximum number of requests without a response on one connection. Clients that use pipelining (RFC 9112, 9.3.2) send only a few. */
const MAX_PIPELINED = 8;

/**
 * Serves the pipelined requests of a connection one after another. Node.js would start all of them at the same time, and never closes the responses
 * that are still queued when the connection breaks, so their resources would leak.
 */
export function serveInOrder(serve: RequestListener): RequestListener {
  const lines = new WeakMap<Socket, (() => void)[]>();
  return (request, response) => {
    const { socket } = request;
    if (socket.destroyed || socket.writableEnded) return; // Node.js still parses pipelined requests that it read before the connection was closed
    const line = lines.get(socket) ?? [];
    if (line.length === MAX_PIPELINED) return void socket.destroy();
    lines.set(socket, line);
    line.push(() => begin(request, response));
    if (line.length === 1) line[0]?.();
  };

  function begin(request: IncomingMessage, response: ServerResponse): void {
    const { socket } = request;
    response.once('close', () => {
      const line = lines.get(socket);
      line?.shift();
      if (!socket.destroyed && !socket.writableEnded) line?.[0]?.();
    });
    serve(request, response);
  }
}

/** Returns an Error that names the environment variable that the operator must change. Its `cause` is the error of Node.js. */
function listenFailure(cause: NodeJS.ErrnoException, { host, port }: { host: string; port: number }): Error {
  return new Error(explain(cause, host, port), { cause });
}

function explain({ code, message }: NodeJS.ErrnoException, host: string, port: number): string {
  switch (code) {
    case 'EADDRINUSE':
      return `PORT: ${port} is taken on ${host}. Give another, or 0 for a free one: --port 0`;
    case 'EACCES':
      return `PORT: this user may not listen on ${port}. Give one above 1023, or 0 for a free one: --port 0`;
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return `HOST: ${host} is no address of this machine. Give one of its own, such as 127.0.0.1, or 0.0.0.0 for all`;
    default:
      return `HOST, PORT: cannot listen on ${host}, port ${port}: ${message}`;
  }
}

/** Returns a port on which a gateway can listen; port 0 selects a free port. Throws an Error that names the environment variable to change. */
export async function findPort({ host, port }: { host: string; port: number }): Promise<number> {
  const probe = createServer();
  try {
    await once(probe.listen(port, host), 'listening');
    return (probe.address() as AddressInfo).port;
  } catch (error) {
    throw listenFailure(error as NodeJS.ErrnoException, { host, port });
  } finally {
    probe.close();
    if (probe.listening) await once(probe, 'close');
  }
}

/**
 * Returns a function that announces in a response how long its connection stays open while it is idle. If the shutdown begins before the headers are
 * sent, the response announces that the connection is closed.
 */
function announceIdleTime(draining: AbortSignal): (response: ServerResponse) => void {
  const open = new Set<ServerResponse>();
  const close = (response: ServerResponse): void => {
    response.shouldKeepAlive = false;
    if (!response.headersSent) response.removeHeader('Keep-Alive');
  };
  draining.addEventListener('abort', () => open.forEach(close));
  return (response) => {
    if (draining.aborted) response.shouldKeepAlive = false;
    if (response.shouldKeepAlive) response.setHeader('Keep-Alive', ANNOUNCED);
    open.add(response);
    response.once('close', () => open.delete(response));
  };
}
