import { createServer, type IncomingMessage } from 'node:http';
import { type AddressInfo } from 'node:net';

export interface Received {
  method: string;
  path: string;
  headers: IncomingMessage['headers'];
  body: any;
}

/** A response; `hangs` never responds, `breaks` closes the connection without a response. */
export interface Reply {
  status?: number;
  headers?: Record<string, string>;
  body?: unknown;
  text?: string;
  kind?: 'hangs' | 'breaks';
}

export interface TestServer {
  url: string;
  received: Received[];
  /** Replies to the next requests, in this order; the last one repeats. */
  reply(...replies: Reply[]): void;
  stop(): void;
}

/** Starts a server on the loopback interface that records its requests. */
export async function testServer(): Promise<TestServer> {
  const received: Received[] = [];
  let replies: Reply[] = [];
  const server = createServer(async (request, response) => {
    let text = '';
    for await (const chunk of request) text += chunk;
    const { method = '', url: path = '', headers } = request;
    received.push({ method, path, headers, body: text === '' ? undefined : JSON.parse(text) });
    const {
      status = 200,
      headers: own,
      body = {},
      text: raw,
      kind,
    } = replies.length > 1 ? replies.shift()! : replies[0]!;
    if (kind === 'breaks') return void request.socket.destroy();
    if (kind === 'hangs') return;
    response.writeHead(status, { 'content-type': 'application/json', ...own }).end(raw ?? JSON.stringify(body));
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    received,
    reply(...next) {
      received.length = 0;
      replies = next;
    },
    stop: () => (server.closeAllConnections(), void server.close()),
  };
}
