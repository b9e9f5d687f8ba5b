// Shapes: none; in full: local, processes
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { type AddressInfo } from 'node:net';
import { fakeProvider, type FakeProvider, type Product, startDrawbridge } from '@drawbridge/testkit';
import { apiOf } from './support/api.js';
import { eventually } from './support/eventually.js';
import { type GithubWorkspace, githubWorkspace } from './support/github.js';

const TRACE_ID = 'c'.repeat(32);
const SECRET = 'ghp_traces_must_not_hold_this_secret';
const TITLE = 'traces-must-not-hold-this-title';

interface ReceivedSpan {
  name: string;
  traceId: string;
  kind: number;
  attributes: Record<string, unknown>;
}

let provider: FakeProvider;
let collector: Server;
let product: Product;
let own: GithubWorkspace;
let received = '';

beforeAll(async () => {
  provider = await fakeProvider();
  provider.on('*', { status: 201, body: { number: 1, title: TITLE, state: 'open' } });
  collector = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    if (request.url === '/v1/traces') received += `${Buffer.concat(chunks).toString()}\n`;
    response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
  }).listen(0, '127.0.0.1');
  await once(collector, 'listening');
  const env = {
    ORIGIN_MAP: JSON.stringify({ 'https://api.github.com': provider.url }),
    OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${(collector.address() as AddressInfo).port}`,
    OTEL_BSP_SCHEDULE_DELAY: '200',
  };
  product = await startDrawbridge({ env });
  const api = apiOf(product.baseUrl, product.key);
  own = await githubWorkspace(api, SECRET);
  const body = { ...own.createIssue, input: { ...own.createIssue.input, title: TITLE } };
  const response = await fetch(`${product.baseUrl}/api/v1/actions/execute`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${product.key}`,
      'content-type': 'application/json',
      traceparent: `00-${TRACE_ID}-${'d'.repeat(16)}-01`,
    },
    body: JSON.stringify(body),
  });
  expect(response.status).toBe(200);
});
afterAll(async () => {
  await product?.stop();
  await provider?.stop();
  collector?.close();
});

/** Returns the spans of the call that the collector has received. */
function spans(): ReceivedSpan[] {
  const all: any[] = received
    .split('\n')
    .filter(Boolean)
    .flatMap((line) => JSON.parse(line).resourceSpans)
    .flatMap(({ scopeSpans }) => scopeSpans)
    .flatMap((scope) => scope.spans);
  return all.filter(({ traceId }) => traceId === TRACE_ID).map((span) => ({ ...span, attributes: valuesOf(span) }));
}

function valuesOf({ attributes }: any): Record<string, unknown> {
  return Object.fromEntries(attributes.map(({ key, value }: any) => [key, Object.values(value)[0]]));
}

const find = (name: RegExp): Promise<ReceivedSpan> =>
  eventually(async () => {
    const span = spans().find((one) => name.test(one.name));
    if (!span) throw new Error(`no span ${name} among ${spans().map((one) => one.name)}`);
    return span;
  });

const CLIENT = 3;

it('has a client span for the request to the provider, without its path', async () => {
  const span = await find(/^POST$/);
  expect(span.kind).toBe(CLIENT);
  expect(span.attributes).toEqual({
    'http.request.method': 'POST',
    'server.address': 'api.github.com',
    'url.scheme': 'https',
    'http.response.status_code': 201,
  });
});

it('has a client span for each statement in PostgreSQL, with its text and without its values', async () => {
  const span = await find(/^SELECT$/);
  expect(span).toMatchObject({ kind: CLIENT, attributes: { 'db.system.name': 'postgresql' } });
  expect(span.attributes['db.query.text']).toMatch(/^\s*SELECT .* FROM /s);
  await find(/^INSERT$/);
});

it('continues over the bus', async () => {
  await find(/^publish /);
  await find(/^process /);
});

it('holds no credential and no input or output of the call', async () => {
  await find(/^process /);
  for (const value of [SECRET, TITLE, own.workspaceId, product.key]) expect(received).not.toContain(value);
});
