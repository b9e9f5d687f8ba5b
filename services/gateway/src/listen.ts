import { createServer, type Server } from 'node:http';
import { type AddressInfo } from 'node:net';
import { type Background, type Logger } from '@drawbridge/rpc';
import { type Express } from 'express';

const DRAIN_MS = 20_000;

export interface HttpDoor extends Background {
  /** Known once it listens. */
  port(): number;
}

/** Listens, and at the end lets requests under way finish for up to 20 s. */
export function httpDoor(app: Express, { host, port, log }: { host: string; port: number; log: Logger }): HttpDoor {
  const server = createServer(app);
  return {
    port: () => (server.address() as AddressInfo).port,
    async start() {
      await new Promise<void>((resolve, reject) => server.once('error', reject).listen(port, host, resolve));
      log.info({ address: host, port: (server.address() as AddressInfo).port }, 'listening');
    },
    stop: () => drain(server),
  };
}

function drain(server: Server): Promise<void> {
  return new Promise((resolve) => {
    const force = setTimeout(() => server.closeAllConnections(), DRAIN_MS);
    server.close(() => {
      clearTimeout(force);
      resolve();
    });
    server.closeIdleConnections();
  });
}
