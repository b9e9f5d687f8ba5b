import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo } from 'node:net';
import { type Duplex } from 'node:stream';
import { type ApiError } from '@drawbridge/contracts';
import { type Background, type Logger } from '@drawbridge/rpc';
import { type Express } from 'express';
import { closeUnread, connectionLimits, limitConnections } from './admission/connections.js';
import { type RateLimits } from './admission/rate-limits.js';
import { serveInOrder } from './http/serve-in-order.js';
import { LINGER_MS, tooManyConnections, connectNotAllowed, sendRefusal, unparsableRequest } from './http/refusal.js';
import { listenFailure } from './listen-failure.js';

/** What is under way at the end is left this long before its connection is cut: its answer gets out. */
const ANSWER_MS = 1_000;
/** At the end a connection is closed this soon after its last answer, and one that was opened for later use: both would be kept. */
const CLOSE_IDLE_MS = 100;

const TIMES = {
  headersTimeout: 10_000,
  // For the whole request; a body that trickles ends long before.
  requestTimeout: 100_000,
  // Longer than the 60 s of common load balancers: else they send into a connection that closes.
  keepAliveTimeout: 65_000,
  connectionsCheckingInterval: 1_000,
};

interface ListenerOptions {
  host: string;
  port: number;
  log: Logger;
  limits: RateLimits;
  /** Infinity: none. */
  connectionsPerAddress: number;
  /** Aborted while there is still time to answer what does not end by itself. */
  closing: AbortController;
  /** Aborted when no more requests are taken. */
  draining: AbortController;
}

/** Listens, and at the end lets requests under way finish until the deadline. */
export function httpListener(app: Express, options: ListenerOptions): Background {
  const { host, port, log, closing, draining } = options;
  const { server, closeSilent } = toServer(app, options);
  return {
    async start() {
      await new Promise<void>((resolve, reject) => {
        server.once('error', (error) => reject(listenFailure(error, { host, port }))).listen(port, host, resolve);
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
  { limits, connectionsPerAddress }: ListenerOptions,
): { server: Server; closeSilent(): void } {
  const answering = new WeakMap<Duplex, ServerResponse>();
  const answer = serveInOrder((request, response) => {
    const { socket } = request;
    answering.set(socket, response);
    response.once('finish', () => request.complete || setTimeout(hangUp, LINGER_MS, request));
    app(request, response);
  });
  const refuseConnection = (socket: Duplex & { remoteAddress?: string }, error: ApiError): void =>
    sendRefusal(socket, error, limits.countRefused(socket.remoteAddress));

  // A missing Host is refused by `requireValidHeaders`, as is an Expect that nobody knows.
  const server = createServer({ ...TIMES, requireHostHeader: false }, answer)
    .on('checkContinue', answer)
    .on('checkExpectation', answer)
    .on('connect', (_request, socket) => refuseConnection(socket, connectNotAllowed()))
    .on('clientError', (error, socket) => {
      if (socket.writableEnded) return; // refused already, and still sending
      const response = answering.get(socket);
      const isLost = !socket.writable || (response?.headersSent && !response.closed);
      if (isLost) socket.destroy();
      else refuseConnection(socket, unparsableRequest(error));
    });
  const full = (socket: Duplex, what: 'network' | 'total'): void => {
    refuseConnection(socket, tooManyConnections(what));
    socket.once('finish', () => socket.destroy()); // no place is kept for it
  };
  const isUnread = closeUnread(server);
  const closeSilent = limitConnections(server, { ...connectionLimits(connectionsPerAddress), isUnread, refuse: full });
  return { server, closeSilent };
}

function hangUp(request: IncomingMessage): void {
  if (!request.complete) request.socket.destroy();
}

interface Drain {
  closing: AbortController;
  closeIdle(): void;
  deadline: number;
}

function drain(server: Server, { closing, closeIdle, deadline }: Drain): Promise<void> {
  return new Promise((resolve) => {
    const left = deadline - Date.now();
    const leave = setTimeout(() => closing.abort(), left - ANSWER_MS);
    const force = setTimeout(() => server.closeAllConnections(), left);
    const idle = setInterval(closeIdle, CLOSE_IDLE_MS);
    server.close(() => {
      clearTimeout(leave);
      clearTimeout(force);
      clearInterval(idle);
      resolve();
    });
  });
}
