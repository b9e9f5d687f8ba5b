import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { type AddressInfo, type Socket } from 'node:net';
import { gzipSync } from 'node:zlib';
import { CREDENTIALS } from './credentials.js';

/** The duration of endless responses. */
const ENDLESS_MS = 4_000;
const MIB = 1024 * 1024;

export interface ThirdParty {
  url: string;
  stop(): Promise<void>;
}

/** The responses of a hostile provider, by the last part of the path. */
export const RESPONSES: Record<string, (response: ServerResponse) => void> = {
  large: (response) => json(response, LARGE),
  numbers: (response) => json(response, NUMBERS),
  'deep-2000': (response) => json(response, nested(2_000)),
  'deep-100000': (response) => json(response, nested(100_000)),
  keys: (response) => json(response, KEYS),
  echo: (response) => json(response, ECHO),
  near: (response) => json(response, NEAR),
  redacted: (response) => json(response, JSON.stringify({ text: '[redacted]'.repeat(5_000) })),
  encoded: (response) => json(response, ENCODED),
  text: (response) => response.writeHead(200, { 'content-type': 'text/plain' }).end('a\u{1F600}'.repeat(1_000_000)),
  hang: () => undefined,
  reset: (response) => response.socket?.resetAndDestroy(),
  redirect: (response) => response.writeHead(302, { location: 'https://api.example.com/redirect' }).end(),
  bomb: (response) => response.writeHead(200, { 'content-encoding': 'gzip' }).end(BOMB),
  drip: (response) => repeatedly(response, () => response.write('x')),
  'tiny-chunks': tinyChunks,
  interim: (response) =>
    repeatedly(response, () => raw(response).write('HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n'.repeat(50))),
  headers: (response) =>
    repeatedly(response, () => raw(response).write(`X-${Math.random()}: ${'x'.repeat(4_000)}\r\n`)),
  garbage: (response) => raw(response).end('\0\u0001 not HTTP\r\n\r\n'),
};

const LARGE = JSON.stringify({
  items: Array.from({ length: 100_000 }, (_, id) => ({ id, name: `item ${id}`.padEnd(70) })),
});
const NUMBERS = `[${'1,'.repeat(5 * MIB - 100)}1]`;
const KEYS = `{${Array.from({ length: 400_000 }, (_, index) => `"k${index}":1`).join(',')}}`;
const ECHO = JSON.stringify(CREDENTIALS.many.props).padEnd(79_000);
const NEAR = JSON.stringify({ text: 'v-p1xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxy'.repeat(200_000) });
const ENCODED = JSON.stringify({ text: `${'%74%6F&#116;&#x6f;\\u0074dG9r\r\n'.repeat(200_000)}` });
const BOMB = gzipSync(Buffer.alloc(200 * MIB));

/** Starts a server on a free loopback port. */
export async function thirdParty(): Promise<ThirdParty> {
  const server = createServer({ maxHeaderSize: MIB }, (request, response) => {
    response.on('error', () => undefined);
    request.resume();
    (RESPONSES[responseNameOf(request)] ?? ((it) => json(it, '{}')))(response);
  });
  server.on('connection', (socket) => socket.on('error', () => undefined));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async stop() {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}

function responseNameOf({ url = '' }: IncomingMessage): string {
  return url.split('?')[0]!.split('/').at(-1)!;
}

function json(response: ServerResponse, text: string): void {
  response.writeHead(200, { 'content-type': 'application/json' }).end(text);
}

function nested(levels: number): string {
  return `${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`;
}

/** Sends chunks of one byte, each with an extension (RFC 9112 §7.1.1), which costs a hundred times the size on the wire and in a list of chunks. */
function tinyChunks(response: ServerResponse): void {
  const socket = raw(response);
  socket.write('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n');
  const chunks = `1;${'e'.repeat(60)}\r\nx\r\n`.repeat(2_000);
  repeatedly(response, () => socket.writableNeedDrain || socket.write(chunks), 1);
}

function repeatedly(response: ServerResponse, work: () => void, everyMs = 5): void {
  const timer = setInterval(work, everyMs);
  const end = (): void => clearInterval(timer);
  setTimeout(() => response.socket?.destroy(), ENDLESS_MS).unref();
  response.socket?.once('close', end);
}

function raw({ socket }: ServerResponse): Socket {
  if (!socket) throw new Error('The connection is closed');
  return socket;
}
