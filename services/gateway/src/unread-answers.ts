import { type Server } from 'node:http';
import { type Socket } from 'node:net';

export interface UnreadLimits {
  /** How often it is looked at. */
  checkMs: number;
  /** A client that takes nothing in so many looks on end is no slow network, it is someone who holds a place. */
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
