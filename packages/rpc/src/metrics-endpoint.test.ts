import { createServer } from 'node:http';
import { once } from 'node:events';
import { type AddressInfo } from 'node:net';
import { createLogger } from './log.js';
import { metricsEndpoint, metricsText } from './metrics-endpoint.js';
import { DurationHistogram, type Metric } from './metrics.js';

const log = createLogger('triggers', 'silent');
const waiting: Metric = {
  name: 'drawbridge_things',
  help: 'Things.',
  type: 'gauge',
  read: () => [{ labels: { state: 'waiting' }, value: 3 }, { value: 0.5 }],
};
const elsewhere: Metric = { ...waiting, read: () => [{ labels: { service: 'mcp' }, value: 1 }] };
const broken: Metric = { ...waiting, name: 'drawbridge_broken', read: async () => Promise.reject(new Error('no')) };

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  return port;
}

it('serves readable metrics in the Prometheus format only', async () => {
  const port = await freePort();
  const endpoint = metricsEndpoint({
    port,
    host: '127.0.0.1',
    read: metricsText([waiting, broken, elsewhere], log),
    log,
  });
  await endpoint.start();
  const ask = (path: string, method = 'GET') => fetch(`http://127.0.0.1:${port}${path}`, { method });
  const answer = await ask('/metrics');
  expect(answer.headers.get('content-type')).toMatch(/^text\/plain; version=0\.0\.4/);
  expect(await answer.text()).toBe(
    '# HELP drawbridge_things Things.\n# TYPE drawbridge_things gauge\ndrawbridge_things{state="waiting"} 3\ndrawbridge_things 0.5\ndrawbridge_things{service="mcp"} 1\n',
  );
  expect([(await ask('/')).status, (await ask('/metrics', 'POST')).status]).toEqual([404, 404]);
  await endpoint.stop(0);
});

it('omits a metric that hangs with its database', async () => {
  const port = await freePort();
  const hanging: Metric = { ...waiting, name: 'drawbridge_hanging', read: () => new Promise(() => undefined) };
  const endpoint = metricsEndpoint({ port, host: '127.0.0.1', read: metricsText([hanging, waiting], log, 10), log });
  await endpoint.start();
  const text = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
  await endpoint.stop(0);
  expect(text).toContain('drawbridge_things 0.5');
  expect(text).not.toContain('drawbridge_hanging');
});

it('counts sets of labels separately, even if their values are the same when joined', () => {
  const histogram = new DurationHistogram('drawbridge_call_seconds', 'Calls.', []);
  histogram.record(1, { rpc: 'a', code: 'bc' });
  histogram.record(1, { rpc: 'ab', code: 'c' });
  const counts = histogram.read().filter(({ suffix }) => suffix === '_count');
  expect(counts.map(({ value }) => value)).toEqual([1, 1]);
});

it('serves a histogram with cumulative buckets, a sum and a count for each set of labels', async () => {
  const port = await freePort();
  const histogram = new DurationHistogram('drawbridge_call_seconds', 'Calls.', [0.5, 2]);
  for (const seconds of [0.25, 0.5, 1, 8]) histogram.record(seconds, { code: 'OK' });
  histogram.record(1, { code: 'NOT_FOUND' });
  const endpoint = metricsEndpoint({ port, host: '127.0.0.1', read: metricsText([histogram], log), log });
  await endpoint.start();
  const text = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
  await endpoint.stop(0);
  expect(text.split('\n')).toEqual([
    '# HELP drawbridge_call_seconds Calls.',
    '# TYPE drawbridge_call_seconds histogram',
    'drawbridge_call_seconds_bucket{code="OK",le="0.5"} 2',
    'drawbridge_call_seconds_bucket{code="OK",le="2"} 3',
    'drawbridge_call_seconds_bucket{code="OK",le="+Inf"} 4',
    'drawbridge_call_seconds_sum{code="OK"} 9.75',
    'drawbridge_call_seconds_count{code="OK"} 4',
    'drawbridge_call_seconds_bucket{code="NOT_FOUND",le="0.5"} 0',
    'drawbridge_call_seconds_bucket{code="NOT_FOUND",le="2"} 1',
    'drawbridge_call_seconds_bucket{code="NOT_FOUND",le="+Inf"} 1',
    'drawbridge_call_seconds_sum{code="NOT_FOUND"} 1',
    'drawbridge_call_seconds_count{code="NOT_FOUND"} 1',
    '',
  ]);
});

it('does not stop the process if the port is used, and opens none for 0', async () => {
  const taken = createServer().listen(0, '127.0.0.1');
  await once(taken, 'listening');
  const { port } = taken.address() as AddressInfo;
  for (const one of [port, 0]) {
    const endpoint = metricsEndpoint({ port: one, host: '127.0.0.1', read: metricsText([waiting], log), log });
    await endpoint.start();
    await endpoint.stop(0);
  }
  taken.close();
});
