import { type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http';
import { type Socket } from 'node:net';

/** Unanswered requests of one connection. Clients that pipeline at all (RFC 9112, 9.3.2) send a handful. */
const MAX_PIPELINED = 8;

/**
 * Serves the pipelined requests of a connection one after another. Node.js would start all of them at once, and never closes the responses that are
 * still queued when the connection breaks, so their resources would leak.
 */
export function serveInOrder(serve: RequestListener): RequestListener {
  const lines = new WeakMap<Socket, (() => void)[]>();
  return (request, response) => {
    const { socket } = request;
    if (socket.destroyed || socket.writableEnded) return; // a later request from the same read, after the connection closed
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
