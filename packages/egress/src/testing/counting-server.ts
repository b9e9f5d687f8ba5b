import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import type { Connect } from '../index.js';

export interface CountingServer {
  port: number;
  /** Returns the number of connections that were opened. */
  connections: () => number;
  /** Returns the number of connections that are open. */
  open: () => number;
  requests: () => number;
  nextRequest: () => Promise<unknown>;
  close: () => Promise<void>;
}

/** Starts a server on every interface, IPv4 and (if available) IPv6, that counts connections and requests. */
export async function startCountingServer(
  answer: RequestListener = (_, res) => res.end('ok'),
): Promise<CountingServer> {
  const server = createServer(answer);
  let connections = 0;
  let open = 0;
  let requests = 0;
  server.on('connection', (socket) => {
    connections++;
    open++;
    socket.on('close', () => open--);
  });
  server.on('request', () => requests++);
  await new Promise<void>((resolve) => server.listen(0, resolve));

  const { port } = server.address() as AddressInfo;
  const close = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  return {
    port,
    connections: () => connections,
    open: () => open,
    requests: () => requests,
    nextRequest: () => once(server, 'request'),
    close,
  };
}

/** Records the destination of each connection, and connects to a local port instead. */
export function recordingConnect(port: number): { connect: Connect; addresses: string[] } {
  const addresses: string[] = [];
  const open: Connect = (to) => {
    addresses.push(to.address);
    return new Promise<Socket>((resolve, reject) => {
      const socket: Socket = connect(port, '127.0.0.1', () => resolve(socket)).once('error', reject);
    });
  };
  return { connect: open, addresses };
}
