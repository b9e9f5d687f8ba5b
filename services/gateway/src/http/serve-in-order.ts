import { type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http';
import { type Socket } from 'node:net';

/** Requests of one connection that have no answer yet. Clients that pipeline at all (RFC 9112 §9.3.2) send a handful. */
const MAX_PIPELINED = 8;

/**
 * Serves what a connection sends in one breath one after another, as it is answered. Node.js would begin with all at once,
 * and never closes the answers whose turn had not come when the connection broke: whatever is held for them would be for ever.
 */
export function serveInOrder(serve: RequestListener): RequestListener {
  const lines = new WeakMap<Socket, (() => void)[]>();
  return (request, response) => {
    const { socket } = request;
    if (socket.destroyed || socket.writableEnded) return; // the rest of what came in one read
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
