import { connect, type Socket } from 'node:net';
import { Cancellation } from '@drawbridge/rpc';
import { ConnectionPool } from './connection-pool.js';
import { exchange } from './exchange.js';
import { toFirstHop } from './request-and-redirects.js';
import { startCountingServer, type CountingServer } from './testing/counting-server.js';

const LIMITS = { idleOfTenant: 3, idle: 5, maxAgeMs: 60_000, maxIdleMs: 60_000 };

let server: CountingServer;
let pool: ConnectionPool;

beforeEach(async () => {
  server = await startCountingServer((_, res) => res.setHeader('keep-alive', 'timeout=600').end('ok'));
});
afterEach(async () => {
  await pool.close();
  await server.close();
});

function usePool(limits: object = {}): void {
  const open = () =>
    new Promise<Socket>((resolve, reject) => {
      const socket: Socket = connect(server.port, '127.0.0.1', () => resolve(socket)).once('error', reject);
    });
  pool = new ConnectionPool({ open, ...LIMITS, ...limits });
}

async function send(origin: string, tenant = 'acme'): Promise<void> {
  const hop = toFirstHop({ method: 'GET', url: origin });
  const connection = pool.acquire(hop.url.origin, tenant);
  await exchange(hop, { connection, path: hop.url.pathname, maxBytes: 100, limit: new Cancellation() });
  pool.release(connection);
  await new Promise(setImmediate);
}

const origins = (count: number, domain = 'example') => Array.from({ length: count }, (_, i) => `http://${i}.${domain}`);

it('keeps so many of a tenant, whatever number of origins it sends to', async () => {
  usePool();
  for (const origin of origins(50)) await send(origin);
  expect(pool.size).toBe(3);
  while (server.open() > 3) await new Promise(setImmediate);
});

it('keeps so many in all, and of a tenant that sends much no more at the cost of others', async () => {
  usePool();
  await send('http://calm.example', 'calm');
  for (const origin of origins(50)) await send(origin, 'busy');
  await send('http://calm.example', 'calm');
  expect(server.connections()).toBe(51);
  for (const tenant of ['one', 'two', 'three']) for (const origin of origins(3, tenant)) await send(origin, tenant);
  expect(pool.size).toBe(5);
});

it('does not share a connection between tenants, even to the same origin', async () => {
  usePool();
  await send('http://one.example', 'acme');
  await send('http://one.example', 'other');
  expect(server.connections()).toBe(2);
  await send('http://one.example', 'acme');
  await send('http://one.example', 'other');
  expect(server.connections()).toBe(2);
});

it('closes idle connections after our timeout, not after that of the provider', async () => {
  usePool({ maxIdleMs: 20 });
  await send('http://long.example');
  while (pool.size > 0) await new Promise(setImmediate);
  while (server.open() > 0) await new Promise(setImmediate);
});

it('does not use one again that is too old', async () => {
  usePool({ maxAgeMs: 0 });
  await send('http://old.example');
  await send('http://old.example');
  expect(server.connections()).toBe(2);
  expect(pool.size).toBe(0);
});

it('removes connections that the provider closed', async () => {
  usePool();
  await send('http://gone.example');
  await server.close();
  while (pool.size > 0) await new Promise(setImmediate);
  server = await startCountingServer();
});
