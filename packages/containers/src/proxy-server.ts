import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { type Egress, EgressError, SENDER_OWNED } from '@drawbridge/egress';
import ipaddr from 'ipaddr.js';
import { FairLimit, MAX_ANSWER_BYTES, MAX_BODY_BYTES, PROXY_LIMITS, type ProxyLimits } from './proxy-limits.js';
import { SANDBOX_RANGE } from './sandbox-range.js';

const TIMEOUT_MS = 60_000;
/** A tunnel is closed this long after its client has closed its side, even if the server never closes the other side. */
const HALF_OPEN_MS = 5_000;
/** Time in which a client that is refused must send its request to receive the response 503. */
const REFUSED_MS = 1_000;
const HTTPS_PORT = '443';

export interface ProxyOptions {
  /** The CIDR of the clients that are served. Default: the networks of runs. */
  clients?: string;
  limits?: ProxyLimits;
}

/**
 * Creates the HTTP proxy between runs and packages/egress. It forwards plain HTTP requests and opens tunnels for HTTPS, to the destinations that
 * egress allows. Each client address is a tenant with separate limits. Because egress cannot inspect tunnels, they only reach port 443, except on
 * hosts that EGRESS_ALLOW contains.
 */
export function proxyServer(egress: Egress, options: ProxyOptions = {}): Server {
  const { clients = SANDBOX_RANGE, limits = PROXY_LIMITS } = options;
  const range = ipaddr.parseCIDR(clients);
  const requests = new FairLimit(limits.requests, limits.perClient);
  const connections = limitConnections(limits);
  const server = createServer({ requestTimeout: TIMEOUT_MS }, (request, response) => {
    const forwarded = async (): Promise<void> => {
      connections.requireServed(request);
      const release = requests.acquire(tenantOf(request));
      if (!release) throw tooBusy();
      response.once('close', release);
      await forward(request, response, egress);
    };
    void forwarded().catch((error: unknown) => refuse(response, error));
  });
  // Otherwise the requests that a client sends together on one connection would run concurrently, and the limit of connections would not limit them.
  server.maxRequestsPerSocket = 1;
  server.on('connection', (socket: Socket) => {
    if (!isClient(socket.remoteAddress ?? '', range)) return void socket.destroy();
    connections.accept(socket);
  });
  server.on('connect', (request: IncomingMessage, client: Duplex, head: Buffer) => {
    client.on('error', () => client.destroy());
    const opened = async (): Promise<void> => {
      connections.requireServed(request);
      await tunnel(request, { client, head, egress });
    };
    void opened().catch((error: unknown) => {
      const { status, text } = toRefusal(error);
      client.end(
        `HTTP/1.1 ${status}\r\ncontent-type: text/plain\r\ncontent-length: ${Buffer.byteLength(text)}\r\n\r\n${text}`,
      );
    });
  });
  return server;
}

interface Connections {
  /** Admits a connection. Beyond the limits, keeps it for a second to answer 503, or closes it at once. */
  accept(socket: Socket): void;
  /** Throws TOO_BUSY if the connection of the request must not be served. */
  requireServed(request: IncomingMessage): void;
}

function limitConnections({ connections, sockets, perClient }: ProxyLimits): Connections {
  const [all, served] = [new FairLimit(sockets, perClient), new FairLimit(connections, perClient)];
  const refused = new WeakSet<Socket>();
  return {
    accept(socket) {
      const client = socket.remoteAddress ?? '';
      const close = all.acquire(client);
      if (!close) return void socket.destroy();
      socket.once('close', close);
      const release = served.acquire(client);
      if (release) return void socket.once('close', release);
      refused.add(socket);
      const timer = setTimeout(() => socket.destroy(), REFUSED_MS);
      socket.once('close', () => clearTimeout(timer));
    },
    requireServed({ socket }) {
      if (refused.has(socket)) throw tooBusy();
    },
  };
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
    maxBytes: MAX_ANSWER_BYTES,
    signal: ended.signal,
  });
  const kept = Object.entries(answer.headers).filter(([name]) => !SENDER_OWNED.has(name));
  response.writeHead(answer.status, { ...Object.fromEntries(kept), 'content-length': answer.body.length });
  response.setTimeout(TIMEOUT_MS, () => response.destroy()); // A client that does not read its response must not hold memory.
  response.end(answer.body);
}

async function readBody(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > MAX_BODY_BYTES) throw new EgressError('TOO_LARGE', `the request is larger than ${MAX_BODY_BYTES} bytes`);
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
  // The end of a client that closed its side before this point is not reported again.
  if (client.destroyed || client.readableEnded) {
    client.destroy();
    return void server.destroy();
  }
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

function tooBusy(): EgressError {
  return new EgressError(
    'TOO_BUSY',
    'the egress proxy is at its limit. Use fewer requests at the same time, or try again later',
  );
}

function toRefusal(error: unknown): { status: string; text: string } {
  if (!(error instanceof EgressError)) return { status: '502 Bad Gateway', text: 'egress proxy: the request failed\n' };
  const text = `egress proxy: ${error.code}: ${error.message}\n`;
  if (error.code === 'TOO_BUSY') return { status: '503 Service Unavailable', text };
  const isRefused = error.code === 'EGRESS_DENIED' || error.code === 'INVALID_URL' || error.code === 'INVALID_REQUEST';
  return { status: isRefused ? '403 Forbidden' : '502 Bad Gateway', text };
}

function refuse(response: ServerResponse, error: unknown): void {
  if (response.headersSent) return void response.destroy();
  const { status, text } = toRefusal(error);
  response.writeHead(Number(status.slice(0, 3)), { 'content-type': 'text/plain', connection: 'close' });
  response.end(text);
}
