import { createServer } from 'node:http';
import { once } from 'node:events';
import { type AddressInfo } from 'node:net';
import { createLogger } from './log.js';
import { type Metric, metricsDoor } from './metrics.js';

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
  const door = metricsDoor({ port, host: '127.0.0.1', metrics: [waiting, broken, elsewhere], log });
  await door.start();
  const ask = (path: string, method = 'GET') => fetch(`http://127.0.0.1:${port}${path}`, { method });
  const answer = await ask('/metrics');
  expect(answer.headers.get('content-type')).toMatch(/^text\/plain; version=0\.0\.4/);
  expect(await answer.text()).toBe(
    '# HELP drawbridge_things Things.\n# TYPE drawbridge_things gauge\ndrawbridge_things{state="waiting"} 3\ndrawbridge_things 0.5\ndrawbridge_things{service="mcp"} 1\n',
  );
  expect([(await ask('/')).status, (await ask('/metrics', 'POST')).status]).toEqual([404, 404]);
  await door.stop(0);
});

it('does not stop the process if the port is used, and opens none for 0', async () => {
  const taken = createServer().listen(0, '127.0.0.1');
  await once(taken, 'listening');
  const { port } = taken.address() as AddressInfo;
  for (const one of [port, 0]) {
    const door = metricsDoor({ port: one, host: '127.0.0.1', metrics: [waiting], log });
    await door.start();
    await door.stop(0);
  }
  taken.close();
});
