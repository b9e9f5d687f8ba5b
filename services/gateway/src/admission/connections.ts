import { type Server, type ServerResponse } from 'node:http';
import { type Socket } from 'node:net';
import { clientNetwork } from './concurrency-limits.js';

/** Fraction of the process's open-file limit that client connections may use. The rest is for connections to databases, services and providers. */
const SHARE = 0.5;
const MAX_TOTAL = 10_000;

interface ConnectionLimits {
  perNetwork: number;
  total: number;
  /** Returns whether the client reads nothing of a response that the gateway is sending. */
  isUnread(socket: Socket): boolean;
  /** Rejects a connection: `network` if its own network has too many connections, `total` if all networks together have too many. */
  refuse(socket: Socket, full: 'network' | 'total'): void;
}

/**
 * Limits the connections of each client network and of all networks together. When the total is reached, the network with the most connections loses
 * its longest idle connection, or a connection of a client that does not read its response, so that unused connections do not lock out other clients.
 * Returns a function that closes the connections on which no byte has arrived yet. Node.js does not count them as idle.
 */
export function limitConnections(
  server: Server,
  { perNetwork, total, isUnread, refuse }: ConnectionLimits,
): () => void {
  const open = new Map<string, Set<Socket>>();
  const neighbours = new WeakMap<Socket, Set<Socket>>();
  /** The latest open response of each connection. A connection without a response is idle. */
  const busy = new Map<Socket, ServerResponse>();
  let count = 0;

  server.on('connection', (socket) => {
    const network = clientNetwork(socket.remoteAddress);
    const own = open.get(network) ?? new Set();
    if (own.size >= perNetwork) return refuse(socket, 'network');
    if (count >= total) {
      const idle = longestIdle(open, (socket) => !busy.has(socket) || isUnread(socket));
      if (!idle) return refuse(socket, 'total');
      idle.destroy();
    }
    open.set(network, own.add(socket));
    neighbours.set(socket, own);
    count += 1;
    socket.once('close', () => {
      own.delete(socket);
      busy.delete(socket); // the `close` handler of the response below may never run: a response that is still queued does not emit `close`
      if (own.size === 0) open.delete(network);
      count -= 1;
    });
  });

  // Node.js emits one of these events for each request, depending on its Expect header.
  for (const event of ['request', 'checkContinue', 'checkExpectation']) {
    server.prependListener(event, ({ socket }, response) => {
      busy.set(socket, response);
      response.once('close', () => {
        if (busy.get(socket) !== response) return;
        busy.delete(socket);
        // Moves the connection to the end of its set, because `longestIdle` expects the connections in the order in which they became idle.
        const own = neighbours.get(socket);
        if (own?.delete(socket)) own.add(socket);
      });
    });
  }
  return () => open.forEach(closeSilent);
}

function closeSilent(sockets: Set<Socket>): void {
  for (const socket of sockets) if (socket.bytesRead === 0) socket.destroy();
}

/** Returns the connection limits of this process, which depend on the number of files that it may open. */
export function connectionLimits(perNetwork: number): { perNetwork: number; total: number } {
  const total = Math.min(MAX_TOTAL, Math.floor(openFiles() * SHARE));
  // Behind a proxy, all clients share its address, so one network may use all connections. Otherwise a network may use at most half of them.
  return { perNetwork: perNetwork === Infinity ? total : Math.min(perNetwork, Math.ceil(total / 2)), total };
}

function longestIdle(open: Map<string, Set<Socket>>, isIdle: (socket: Socket) => boolean): Socket | undefined {
  for (const sockets of [...open.values()].sort((a, b) => b.size - a.size)) {
    for (const socket of sockets) if (isIdle(socket) && !socket.destroyed) return socket;
  }
  return undefined;
}

function openFiles(): number {
  const report = process.report.getReport() as unknown as { userLimits?: { open_files?: { soft: number | string } } };
  const limit = Number(report.userLimits?.open_files?.soft);
  return Number.isFinite(limit) ? limit : Infinity;
}

interface UnreadLimits {
  checkMs: number;
  /** The connection is closed after this many checks in which the client has read nothing. Even a slow client reads some bytes in that time. */
  checks: number;
}

const PACE: UnreadLimits = { checkMs: 2_000, checks: 5 };

/**
 * Closes connections of clients that do not read their response. Returns a function that reports whether a client read nothing in the last interval.
 */
export function closeUnread(server: Server, { checkMs, checks }: UnreadLimits = PACE): (socket: Socket) => boolean {
  const open = new Set<Socket>();
  const unread = new Map<Socket, { taken: string; times: number }>();
  const look = (socket: Socket): void => {
    if (socket.writableLength === 0) return void unread.delete(socket);
    const taken = takenOf(socket);
    const before = unread.get(socket);
    const times = before?.taken === taken ? before.times + 1 : 0;
    unread.set(socket, { taken, times });
    // A reset discards the kernel's send buffer. After a normal close, the kernel would retain the buffer and continue to send it.
    if (times >= checks) socket.resetAndDestroy();
  };

  server.on('connection', (socket) => {
    open.add(socket);
    socket.once('close', () => {
      open.delete(socket);
      unread.delete(socket);
    });
  });
  const timer = setInterval(() => open.forEach(look), checkMs).unref();
  server.once('close', () => clearInterval(timer));
  return (socket) => (unread.get(socket)?.times ?? 0) > 0;
}

/**
 * Returns a value that changes with every byte that the kernel accepts. Node.js counts whole writes, and a response of 8 MiB is a single write. Only
 * the handle contains the number of remaining bytes; the socket timeouts of Node.js read it, too.
 */
function takenOf(socket: Socket): string {
  const { _handle: handle } = socket as Socket & { _handle?: { writeQueueSize?: number } };
  return `${socket.bytesWritten - socket.writableLength} ${handle?.writeQueueSize}`;
}
