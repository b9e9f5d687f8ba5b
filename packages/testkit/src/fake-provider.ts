import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { type AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

export interface RecordedRequest {
  method: string;
  /** Path and query. */
  url: string;
  headers: Record<string, string>;
  /** The raw body, or '' if there is none. */
  text: string;
  /** `text` parsed as JSON, or undefined if it is not JSON. */
  body: any;
}

/** The response to a request. Default status: 200. A string or bytes are sent unchanged, and other bodies as JSON. */
export interface ProviderBehaviour {
  status?: number;
  headers?: Record<string, string>;
  body?: unknown;
  /** Delay of the response in milliseconds. */
  delay?: number;
  /** Set to accept the request and never respond. */
  hang?: boolean;
  /** Set to reset the connection after the request arrived. */
  reset?: boolean;
  /** Delays the response until this promise is settled, so that a test can pause a request. */
  until?: Promise<unknown>;
}

type Answering = (request: RecordedRequest) => ProviderBehaviour | Promise<ProviderBehaviour>;

export interface FakeProvider {
  /** http://127.0.0.1:<port> */
  url: string;
  port: number;
  /** The requests, in order of completion. */
  requests: RecordedRequest[];
  /** Returns the number of opened connections, including connections without a request. */
  connections(): number;
  /** Sets the response for a route such as `"POST /repos/o/r/issues"` (without the query). `"*"` matches any other request. Default: 200 `{}`. */
  on(route: string, answer: ProviderBehaviour | Answering): void;
  /** Returns the first recorded request that matches. Waits for it if necessary. */
  received(matches?: (request: RecordedRequest) => boolean): Promise<RecordedRequest>;
  /** Clears requests, connections and behaviors. */
  reset(): void;
  stop(): Promise<void>;
}

/** Starts a provider for tests: an HTTP server on a free loopback port, on `port`, or on another address for callers in containers. */
export async function fakeProvider({
  port = 0,
  host = '127.0.0.1',
}: { port?: number; host?: string } = {}): Promise<FakeProvider> {
  const requests: RecordedRequest[] = [];
  const answers = new Map<string, ProviderBehaviour | Answering>();
  let waiting: (() => void)[] = [];
  let connections = 0;

  const server = createServer(async (request, response) => {
    const recorded = await record(request);
    requests.push(recorded);
    for (const look of waiting) look();
    const [path] = recorded.url.split('?');
    const chosen = answers.get(`${recorded.method} ${path}`) ?? answers.get('*') ?? { body: {} };
    await answer(response, typeof chosen === 'function' ? await chosen(recorded) : chosen);
  });
  server.on('connection', () => connections++);
  server.listen(port, host);
  await once(server, 'listening');
  const bound = (server.address() as AddressInfo).port;

  return {
    url: `http://127.0.0.1:${bound}`,
    port: bound,
    requests,
    connections: () => connections,
    on: (route, behaviour) => void answers.set(route, behaviour),
    received: (matches = () => true) =>
      new Promise((resolve) => {
        const look = (): void => {
          const found = requests.find(matches);
          if (!found) return;
          waiting = waiting.filter((other) => other !== look);
          resolve(found);
        };
        waiting.push(look);
        look();
      }),
    reset() {
      requests.length = 0;
      connections = 0;
      answers.clear();
    },
    async stop() {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}

async function record(request: IncomingMessage): Promise<RecordedRequest> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const text = Buffer.concat(chunks).toString('utf8');
  const headers = Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)]));
  return { method: request.method ?? '', url: request.url ?? '', headers, text, body: jsonOf(text) };
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

async function answer(response: ServerResponse, behaviour: ProviderBehaviour): Promise<void> {
  const { status = 200, headers = {}, body, delay = 0, hang, reset, until } = behaviour;
  await until;
  if (delay > 0) await sleep(delay);
  if (hang) return;
  if (reset) return void response.socket?.resetAndDestroy();
  const isRaw = typeof body === 'string' || Buffer.isBuffer(body);
  const type = isRaw || body === undefined ? {} : { 'content-type': 'application/json; charset=utf-8' };
  response.writeHead(status, { ...type, ...headers });
  response.end(isRaw || body === undefined ? body : JSON.stringify(body));
}
