import { type Server, type ServerResponse } from 'node:http';
import { type Socket } from 'node:net';
import { clientNetwork } from '../auth/client-network.js';

/** The half of what the process may open; the other is for databases, services and providers. */
const SHARE = 0.5;
const MAX_TOTAL = 10_000;

interface ConnectionLimits {
  perNetwork: number;
  total: number;
  /** Takes nothing of the answer that is written to it. */
  isUnread(socket: Socket): boolean;
  /** Tells a client that there is no room for it. Whose fault that is: its own (`network`), or everybody's. */
  refuse(socket: Socket, full: 'network' | 'total'): void;
}

/**
 * Bounds the connections of one client network, and of all. Where all are too many, the network with most loses the one of
 * which no request is under way for longest, or whose answer nobody reads: who holds silent sockets locks nobody out.
 * Returns how to close those that have not sent anything yet, which to Node.js are not idle.
 */
export function limitConnections(
  server: Server,
  { perNetwork, total, isUnread, refuse }: ConnectionLimits,
): () => void {
  const open = new Map<string, Set<Socket>>();
  const neighbours = new WeakMap<Socket, Set<Socket>>();
  /** The latest answer that each has under way. */
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
      busy.delete(socket); // an answer whose turn on it never came does not close
      if (own.size === 0) open.delete(network);
      count -= 1;
    });
  });

  // Whichever event a request comes by, its answer begins here.
  for (const event of ['request', 'checkContinue', 'checkExpectation']) {
    server.prependListener(event, ({ socket }, response) => {
      busy.set(socket, response);
      response.once('close', () => {
        if (busy.get(socket) !== response) return;
        busy.delete(socket);
        // Idle from now on: behind those that are for longer.
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

/** How many connections a process that may open so many files takes. */
export function connectionLimits(perNetwork: number): { perNetwork: number; total: number } {
  const total = Math.min(MAX_TOTAL, Math.floor(openFiles() * SHARE));
  // All clients behind a proxy are one network.
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

export interface UnreadLimits {
  /** The time between two checks. */
  checkMs: number;
  /** A client that reads nothing in so many checks is not slow: it holds a connection. */
  checks: number;
}

const PACE: UnreadLimits = { checkMs: 2_000, checks: 5 };

interface Seen {
  taken: string;
  times: number;
}

/** Cuts connections whose clients take nothing of what is written to them. Returns which of them took nothing lately. */
export function closeUnread(server: Server, { checkMs, checks }: UnreadLimits = PACE): (socket: Socket) => boolean {
  const open = new Set<Socket>();
  const unread = new Map<Socket, Seen>();
  const look = (socket: Socket): void => {
    if (socket.writableLength === 0) return void unread.delete(socket);
    const taken = takenOf(socket);
    const before = unread.get(socket);
    const times = before?.taken === taken ? before.times + 1 : 0;
    unread.set(socket, { taken, times });
    // A reset: else the kernel would go on offering what it took, to nobody.
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
 * Changes with every byte that the kernel takes. What Node.js counts by itself are whole writes, and an answer of 8 MiB is a
 * single one: how much of it is left, only the handle knows (Node.js's own timeouts of sockets ask it too).
 */
function takenOf(socket: Socket): string {
  const { _handle: handle } = socket as Socket & { _handle?: { writeQueueSize?: number } };
  return `${socket.bytesWritten - socket.writableLength} ${handle?.writeQueueSize}`;
}
