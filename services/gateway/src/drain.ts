import { type Server } from 'node:http';
import { Server as NetServer } from 'node:net';

/** Requests in progress are aborted this long before the shutdown deadline, so that the gateway can still send an error to their clients. */
const ANSWER_MS = 1_000;
/** During shutdown, idle connections are closed at this interval, including those that never sent a request, which Node.js would not close. */
const CLOSE_IDLE_MS = 100;
/** After the shutdown begins, idle connections stay open for this time: a client that does not know of the shutdown may be sending a request. */
const KEEP_IDLE_MS = 1_000;

/** Stops accepting connections. Resolves when all are closed, at the latest at the deadline. */
export function drain(server: Server, { closing, closeIdle, deadline }: Drain): Promise<void> {
  return new Promise((resolve) => {
    const left = deadline - Date.now();
    const leave = setTimeout(() => closing.abort(), left - ANSWER_MS);
    const force = setTimeout(() => server.closeAllConnections(), left);
    const keepUntil = performance.now() + KEEP_IDLE_MS;
    const idle = setInterval(() => performance.now() >= keepUntil && closeIdle(), CLOSE_IDLE_MS);
    // `server.close()` of an HTTP server would close idle connections immediately, so the `close` of net.Server is called.
    NetServer.prototype.close.call(server, () => {
      clearTimeout(leave);
      clearTimeout(force);
      clearInterval(idle);
      resolve();
    });
  });
}

interface Drain {
  /** Aborted shortly before the deadline. */
  closing: AbortController;
  closeIdle(): void;
  /** Epoch milliseconds. */
  deadline: number;
}
