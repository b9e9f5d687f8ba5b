import { createServer, type IncomingHttpHeaders, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Send } from '@drawbridge/piece-kit';

/** A request that the fake provider received. `url` contains its path and query. */
export interface Recorded {
  method: string;
  url: string;
  headers: IncomingHttpHeaders;
  body: string;
}

export interface Reply {
  status?: number;
  headers?: Record<string, string>;
  body?: string | Uint8Array;
}

/** Starts an HTTP server for all origins. It records requests and responds with `reply`. */
export async function startThirdParty(reply: (request: Recorded) => Reply) {
  const received: Recorded[] = [];
  const server = createServer(async (incoming, outgoing) => {
    const request = await record(incoming);
    received.push(request);
    const { status = 200, headers = { 'content-type': 'application/json' }, body = '{}' } = reply(request);
    outgoing.writeHead(status, headers).end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));

  const { port } = server.address() as AddressInfo;
  const close = async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  };
  const origin = `http://127.0.0.1:${port}`;
  return { received, origin, send: sendTo(origin), close };
}

async function record(incoming: IncomingMessage): Promise<Recorded> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk);
  const { method = '', url = '', headers } = incoming;
  return { method, url, headers, body: Buffer.concat(chunks).toString('utf8') };
}

/** Replaces egress: sends requests for any origin to one server. */
function sendTo(origin: string): Send {
  return async ({ method, url, headers, body }) => {
    const { pathname, search } = new URL(url);
    const answer = await fetch(origin + pathname + search, {
      method,
      headers,
      body: body as BodyInit,
      redirect: 'manual',
    });
    const bytes = new Uint8Array(await answer.arrayBuffer());
    return { status: answer.status, headers: Object.fromEntries(answer.headers), body: bytes, url };
  };
}
