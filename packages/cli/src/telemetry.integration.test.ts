import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo } from 'node:net';
import { cli } from './testing/cli.js';

const { start, remove } = cli();
afterAll(remove);

const requestLines = (output: string): object[] =>
  output
    .split('\n')
    .filter((line) => line.includes('"msg":"request"'))
    .map((line) => JSON.parse(line));

it('logs the trace id of a caller without a collector, and none for a caller without a trace', async () => {
  const product = await start();
  const url = `${product.baseUrl}/api/v1/organization`;
  await fetch(url, { headers: { traceparent: `00-${'e'.repeat(32)}-${'f'.repeat(16)}-01` } });
  await fetch(url, { headers: { traceparent: 'nonsense' } });
  expect(await product.stop()).toBe(0);
  const [traced, untraced] = requestLines(product.output());
  expect(traced).toMatchObject({ status: 401, traceId: 'e'.repeat(32) });
  expect(untraced).not.toHaveProperty('traceId');
});

it('sends the trace of a request to OTEL_EXPORTER_OTLP_ENDPOINT', async () => {
  const received: Record<string, string> = {};
  const collector = createServer(async (request, response) => {
    let text = '';
    for await (const chunk of request) text += chunk;
    received[request.url!] = (received[request.url!] ?? '') + text;
    response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
  }).listen(0, '127.0.0.1');
  await once(collector, 'listening');
  const { port } = collector.address() as AddressInfo;
  const product = await start({ OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${port}` });
  const traceId = 'c'.repeat(32);
  await fetch(`${product.baseUrl}/api/v1/organization`, {
    headers: { authorization: 'Bearer svc_unknown', traceparent: `00-${traceId}-${'d'.repeat(16)}-01` },
  });
  expect(await product.stop()).toBe(0);
  collector.close();
  expect(received['/v1/traces']).toContain(traceId);
  expect(received['/v1/metrics']).toContain('drawbridge_outbox_oldest_seconds');
  expect(received['/v1/metrics']).toContain('drawbridge_http_request_duration_seconds');
  expect(requestLines(product.output())).toMatchObject([{ traceId }]);
});
