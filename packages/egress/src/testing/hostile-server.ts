import { once } from 'node:events';
import { createServer, type AddressInfo, type Socket } from 'node:net';

export interface HostileServer {
  port: number;
  /** Returns the number of connections that are open. */
  open: () => number;
  close: () => Promise<void>;
}

/** Starts a TCP server that responds to any input with `start` and then repeats `rest` until the client disconnects. */
export async function startHostileServer(start: string, rest = ''): Promise<HostileServer> {
  const sockets = new Set<Socket>();
  const block = Buffer.from(rest.repeat(Math.ceil(16_384 / Math.max(1, rest.length))));
  const server = createServer((socket) => {
    sockets.add(socket);
    const write = () => {
      while (rest !== '' && !socket.destroyed && socket.write(block));
    };
    socket.on('error', () => undefined).on('close', () => sockets.delete(socket));
    socket.once('data', () => socket.write(start, write)).on('drain', write);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    open: () => sockets.size,
    close: async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise((closed) => server.close(closed));
    },
  };
}
