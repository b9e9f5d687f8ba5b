import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo } from 'node:net';
import { context, metrics, propagation, trace } from '@opentelemetry/api';
import { createLogger } from './log.js';
import { DurationHistogram, type Metric } from './metrics.js';
import { openSpan, withSpan } from './spans.js';
import { openTelemetry } from './telemetry.js';

const log = createLogger('mcp', 'silent');
const TRACE = 'a'.repeat(32);
const waiting: Metric = {
  name: 'drawbridge_things',
  help: 'Things.',
  type: 'gauge',
  read: () => [{ labels: { state: 'waiting' }, value: 3 }],
};
const elsewhere: Metric = { ...waiting, read: () => [{ labels: { state: 'dead' }, value: 1 }] };
const broken: Metric = { ...waiting, name: 'drawbridge_broken', read: async () => Promise.reject(new Error('no')) };

afterEach(() => {
  for (const api of [trace, context, propagation, metrics]) api.disable();
});

/** Starts a collector that stores what it receives, by path. */
async function collector(respond: boolean) {
  const received: Record<string, any> = {};
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk) => chunks.push(chunk));
    request.on('end', () => {
      received[request.url!] = JSON.parse(Buffer.concat(chunks).toString());
      if (respond) response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const stop = (): void => {
    server.close();
    server.closeAllConnections();
  };
  return { url: `http://127.0.0.1:${port}`, received, stop };
}

it('sends spans and metrics to a collector, and continues the trace of a request', async () => {
  const { url, received, stop } = await collector(true);
  const telemetry = await openTelemetry({ endpoint: url, name: 'drawbridge-mcp', log });
  const histogram = new DurationHistogram('drawbridge_call_seconds', 'Calls.', [0.5, 2]);
  telemetry.watch([waiting, broken, elsewhere, histogram]);
  histogram.record(1, { code: 'OK' });
  const request = openSpan('request', `00-${TRACE}-${'b'.repeat(16)}-01`);
  await request.run(() => withSpan('identify', async () => undefined));
  request.end();
  await telemetry.stop(Date.now() + 5_000);
  stop();
  const [traces] = received['/v1/traces'].resourceSpans;
  expect(JSON.stringify(traces.resource)).toContain('drawbridge-mcp');
  const spans: any[] = traces.scopeSpans.flatMap((scope: any) => scope.spans);
  expect(spans.map(({ name, traceId }) => [name, traceId])).toEqual([
    ['identify', TRACE],
    ['request', TRACE],
  ]);
  const [{ scopeMetrics }] = received['/v1/metrics'].resourceMetrics;
  const [things] = scopeMetrics[0].metrics.filter(({ name }: any) => name === 'drawbridge_things');
  expect(things.gauge.dataPoints.map(({ asInt, asDouble }: any) => Number(asInt ?? asDouble)).sort()).toEqual([1, 3]);
  const [calls] = scopeMetrics[0].metrics.filter(({ name }: any) => name === 'drawbridge_call_seconds');
  expect(calls.histogram.dataPoints).toMatchObject([
    { count: 1, sum: 1, bucketCounts: [0, 1, 0], explicitBounds: [0.5, 2] },
  ]);
});

it('stops at its deadline if the collector does not respond', async () => {
  const { url, stop } = await collector(false);
  const telemetry = await openTelemetry({ endpoint: url, name: 'drawbridge-mcp', log });
  await withSpan('identify', async () => undefined);
  const from = performance.now();
  await telemetry.stop(Date.now() + 300);
  expect(performance.now() - from).toBeLessThan(2_000);
  stop();
});

it('sends nothing without an endpoint', async () => {
  const telemetry = await openTelemetry({ endpoint: '', name: 'drawbridge-mcp', log });
  telemetry.watch([waiting]);
  await telemetry.stop(0);
  expect(trace.getTracer('x').startSpan('x').isRecording()).toBe(false);
});
