import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { type Egress, EgressError, SENDER_OWNED } from '@drawbridge/egress';
import ipaddr from 'ipaddr.js';
import { SANDBOX_RANGE } from './sandbox-range.js';

/** Every program shares the proxy, so each may use only a fraction of its memory and descriptors (see `proxySettings`). */
const MAX = { connections: 32, bodyBytes: 1024 * 1024, answerBytes: 2 * 1024 * 1024 };
const TIMEOUT_MS = 60_000;
/** A tunnel is closed this long after its client has closed its side, even if the server never closes the other side. */
const HALF_OPEN_MS = 5_000;
const HTTPS_PORT = '443';

export interface ProxyOptions {
  /** The CIDR of the clients that are served. Default: the networks of runs. */
  clients?: string;
}

/**
 * Creates the HTTP proxy between runs and packages/egress. It forwards plain HTTP requests and opens tunnels for HTTPS, to the destinations that
 * egress allows. Each client address is a tenant with separate limits. Because egress cannot inspect tunnels, they only reach port 443, except on
 * hosts that EGRESS_ALLOW contains.
 */
export function proxyServer(egress: Egress, { clients = SANDBOX_RANGE }: ProxyOptions = {}): Server {
  const range = ipaddr.parseCIDR(clients);
  const server = createServer({ requestTimeout: TIMEOUT_MS }, (request, response) => {
    void forward(request, response, egress).catch((error: unknown) => refuse(response, error));
  });
  // Otherwise the requests that a client sends together on one connection would run concurrently, and the limit of connections would not limit them.
  server.maxRequestsPerSocket = 1;
  const connections = new Map<string, number>();
  server.on('connection', (socket: Socket) => {
    const { remoteAddress: address = '' } = socket;
    const open = connections.get(address) ?? 0;
    if (!isClient(address, range) || open >= MAX.connections) return void socket.destroy();
    connections.set(address, open + 1);
    socket.once('close', () => {
      const left = (connections.get(address) ?? 1) - 1;
      if (left === 0) connections.delete(address);
      else connections.set(address, left);
    });
  });
  server.on('connect', (request: IncomingMessage, client: Duplex, head: Buffer) => {
    client.on('error', () => client.destroy());
    void tunnel(request, { client, head, egress }).catch((error: unknown) => {
      const { status, text } = toRefusal(error);
      client.end(
        `HTTP/1.1 ${status}\r\ncontent-type: text/plain\r\ncontent-length: ${Buffer.byteLength(text)}\r\n\r\n${text}`,
      );
    });
  });
  return server;
}

function isClient(address: string, range: [ipaddr.IPv4 | ipaddr.IPv6, number]): boolean {
  if (!ipaddr.isValid(address)) return false;
  const parsed = ipaddr.process(address);
  return parsed.kind() === range[0].kind() && parsed.match(range);
}

async function forward(request: IncomingMessage, response: ServerResponse, egress: Egress): Promise<void> {
  const ended = new AbortController();
  response.on('close', () => ended.abort());
  const body = await readBody(request);
  const headers = Object.entries(request.headers).flatMap(([name, value]) =>
    SENDER_OWNED.has(name) || value === undefined ? [] : [[name, String(value)]],
  );
  // A URL without a host is a request to the proxy itself. Egress rejects it as invalid.
  const answer = await egress.sendFor(tenantOf(request))({
    method: request.method ?? 'GET',
    url: request.url ?? '',
    headers: Object.fromEntries(headers),
    ...(body.length > 0 && { body }),
    timeoutMs: TIMEOUT_MS,
    maxBytes: MAX.answerBytes,
    signal: ended.signal,
  });
  const kept = Object.entries(answer.headers).filter(([name]) => !SENDER_OWNED.has(name));
  response.writeHead(answer.status, { ...Object.fromEntries(kept), 'content-length': answer.body.length });
  response.end(answer.body);
}

async function readBody(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > MAX.bodyBytes) throw new EgressError('TOO_LARGE', `the request is larger than ${MAX.bodyBytes} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

interface TunnelEnds {
  client: Duplex;
  head: Buffer;
  egress: Egress;
}

async function tunnel(request: IncomingMessage, { client, head, egress }: TunnelEnds): Promise<void> {
  const url = `https://${request.url ?? ''}`;
  const { port } = URL.canParse(url) ? new URL(url) : { port: '' };
  if ((port || HTTPS_PORT) !== HTTPS_PORT && !egress.isListed(url)) {
    throw new EgressError('EGRESS_DENIED', `a tunnel can only reach port ${HTTPS_PORT}`);
  }
  const ended = new AbortController();
  client.on('close', () => ended.abort());
  const server = await egress.openTunnel(
    tenantOf(request),
    url,
    AbortSignal.any([ended.signal, AbortSignal.timeout(TIMEOUT_MS)]),
  );
  if (client.destroyed) return void server.destroy();
  server.on('error', () => client.destroy()).on('close', () => client.destroy());
  client.on('close', () => server.destroy());
  client.once('end', () => setTimeout(() => client.destroy(), HALF_OPEN_MS).unref());
  client.write('HTTP/1.1 200 Connection established\r\n\r\n');
  server.write(head);
  client.pipe(server).pipe(client);
}

function tenantOf({ socket }: IncomingMessage): string {
  return socket.remoteAddress ?? '';
}

function toRefusal(error: unknown): { status: string; text: string } {
  if (!(error instanceof EgressError)) return { status: '502 Bad Gateway', text: 'egress proxy: the request failed\n' };
  const isRefused = error.code === 'EGRESS_DENIED' || error.code === 'INVALID_URL' || error.code === 'INVALID_REQUEST';
  return {
    status: isRefused ? '403 Forbidden' : '502 Bad Gateway',
    text: `egress proxy: ${error.code}: ${error.message}\n`,
  };
}

function refuse(response: ServerResponse, error: unknown): void {
  if (response.headersSent) return void response.destroy();
  const { status, text } = toRefusal(error);
  response.writeHead(Number(status.slice(0, 3)), { 'content-type': 'text/plain', connection: 'close' });
  response.end(text);
}
