import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { type WebSocket, WebSocketServer } from 'ws';

export interface ReceivedCall {
  method: string;
  path: string;
  query: Record<string, string>;
  token: string;
  body: any;
}

type Answering = (call: ReceivedCall, response: ServerResponse) => void;
type Attaching = (socket: WebSocket, call: ReceivedCall) => void;

/** An API server of a cluster that responds as the test decides. */
export interface ApiServer {
  url: string;
  calls: ReceivedCall[];
  /** Handles requests. Default: 404. */
  answer: Answering;
  /** Handles connections to pods. Default: keeps them open. */
  attach: Attaching;
  /** The status with which the next connections to pods are refused. */
  refuse: number[];
  /** The subprotocol that the server selects, or false for none. */
  protocol: string | false;
  close(): Promise<void>;
}

export async function startApiServer(): Promise<ApiServer> {
  const server = createServer((request, response) => void receive(request, response));
  const sockets = new WebSocketServer({ noServer: true, handleProtocols: () => api.protocol });
  const receive = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const chunks: Buffer[] = [];
    for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
    const call = toCall(request, Buffer.concat(chunks).toString());
    api.calls.push(call);
    api.answer(call, response);
  };
  server.on('upgrade', (request: IncomingMessage, stream: Duplex, head: Buffer) => {
    const call = toCall(request, '');
    api.calls.push(call);
    const status = api.refuse.shift();
    if (status !== undefined) return void stream.end(`HTTP/1.1 ${status} Refused\r\ncontent-length: 0\r\n\r\n`);
    sockets.handleUpgrade(request, stream, head, (socket) => api.attach(socket, call));
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const api: ApiServer = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    calls: [],
    answer: (_, response) => json(response, 404, { kind: 'Status', reason: 'NotFound' }),
    attach: () => undefined,
    refuse: [],
    protocol: 'v5.channel.k8s.io',
    async close() {
      for (const socket of sockets.clients) socket.terminate();
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
    },
  };
  return api;
}

function toCall(request: IncomingMessage, body: string): ReceivedCall {
  const { pathname, searchParams } = new URL(request.url ?? '', 'http://localhost');
  return {
    method: request.method ?? '',
    path: pathname,
    query: Object.fromEntries(searchParams),
    token: (request.headers.authorization ?? '').replace('Bearer ', ''),
    body: body === '' ? undefined : JSON.parse(body),
  };
}

export function json(response: ServerResponse, status: number, value: object): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value));
}
