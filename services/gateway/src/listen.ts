import { createServer, type Server } from 'node:http';
import { type AddressInfo } from 'node:net';
import { type Duplex } from 'node:stream';
import { type Background, type Logger } from '@drawbridge/rpc';
import { type Express } from 'express';
import { listenFailure } from './listen-failure.js';

/** What is under way at the end is left this long before its connection is cut: its answer gets out. */
const ANSWER_MS = 1_000;

export interface HttpDoor extends Background {
  /** Known once it listens. */
  port(): number;
}

interface DoorOptions {
  host: string;
  port: number;
  log: Logger;
  /** Aborted while there is still time to answer what does not end by itself. */
  closing: AbortController;
}

/** Listens, and at the end lets requests under way finish until the deadline. */
export function httpDoor(app: Express, { host, port, log, closing }: DoorOptions): HttpDoor {
  const server = createServer(app).on('clientError', refuseUnreadable);
  return {
    port: () => (server.address() as AddressInfo).port,
    async start() {
      await new Promise<void>((resolve, reject) => {
        server.once('error', (error) => reject(listenFailure(error, { host, port }))).listen(port, host, resolve);
      });
      log.info({ address: host, port: (server.address() as AddressInfo).port }, 'listening');
    },
    stop: (deadline) => drain(server, closing, deadline),
  };
}

function drain(server: Server, closing: AbortController, deadline: number): Promise<void> {
  return new Promise((resolve) => {
    const left = deadline - Date.now();
    const leave = setTimeout(() => closing.abort(), left - ANSWER_MS);
    const force = setTimeout(() => server.closeAllConnections(), left);
    server.close(() => {
      clearTimeout(leave);
      clearTimeout(force);
      resolve();
    });
    server.closeIdleConnections();
  });
}

/** What is not even HTTP (RFC 9112), or has headers past Node's 16 KiB, is refused in the shape of every error. */
function refuseUnreadable(error: NodeJS.ErrnoException, socket: Duplex): void {
  if (!socket.writable || error.code === 'ECONNRESET') return void socket.destroy();
  const isTooLong = error.code === 'HPE_HEADER_OVERFLOW';
  const [status, message] = isTooLong
    ? ['431 Request Header Fields Too Large', 'The headers are too long']
    : ['400 Bad Request', 'The request can not be read'];
  const body = JSON.stringify({ error: message, code: 'VALIDATION_ERROR', details: {} });
  const head = [
    `HTTP/1.1 ${status}`,
    'Content-Type: application/json; charset=utf-8',
    'Connection: close',
    `Content-Length: ${body.length}`,
  ];
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`);
}
