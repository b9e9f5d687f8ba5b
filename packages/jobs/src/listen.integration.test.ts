import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { createLogger } from '@drawbridge/rpc';
import pg from 'pg';
import { eventually } from './fixtures/eventually.js';
import { openTestQueue, type TestQueue } from './fixtures/test-queue.js';
import { jobs as newJobs } from './jobs.js';
import { type JobContext } from './attempt-and-retry.js';

let queue: TestQueue;

beforeAll(async () => (queue = await openTestQueue()));
afterAll(() => queue.close());

/**
 * Forwards connections to PostgreSQL. `silence` stops forwarding on the open connections without closing them, as in a failover that resets no
 * connection.
 */
async function startProxy() {
  const { hostname, port } = new URL(queue.database.url);
  const open = new Set<Socket>();
  const server = createServer((client) => {
    const upstream = connect(Number(port || 5432), hostname);
    for (const socket of [client, upstream]) open.add(socket.on('error', () => undefined));
    client.pipe(upstream);
    upstream.pipe(client);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = new URL(queue.database.url);
  url.host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url: url.href,
    accepted: () => once(server, 'connection'),
    silence() {
      for (const socket of open) socket.unpipe();
    },
    close() {
      for (const socket of open) socket.destroy();
      server.close();
    },
  };
}

it('renews leases and receives notifications after its connection became silent', async () => {
  const proxy = await startProxy();
  const pool = new pg.Pool({ connectionString: proxy.url, query_timeout: 1_000, connectionTimeoutMillis: 1_000 });
  pool.on('error', () => undefined);
  const runs: { signal: AbortSignal; at: number }[] = [];
  let end = (): void => undefined;
  const ended = new Promise<void>((resolve) => (end = resolve));
  const task = async (_: unknown, { signal }: JobContext): Promise<void> => {
    runs.push({ signal, at: Date.now() });
    await ended;
  };
  const jobs = newJobs({ service: queue.service, pool, tasks: { task }, log: createLogger('jobs', 'silent') });
  await jobs.start();
  await jobs.enqueue(queue.pool, 'task', undefined);
  await eventually(() => runs.length === 1);
  // The proxy must also stop forwarding on connections that the pool is still opening.
  const opening = Promise.allSettled(Array.from({ length: 8 }, () => pool.query('SELECT')));
  await proxy.accepted();
  proxy.silence();
  await new Promise((resolve) => setTimeout(resolve, 27_000));
  expect(runs.map(({ signal }) => signal.aborted)).toEqual([false]);

  const delays: number[] = [];
  for (let many = 2; many <= 10; many++) {
    const addedAt = Date.now();
    await jobs.enqueue(queue.pool, 'task', undefined);
    await eventually(() => runs.length === many);
    delays.push(runs.at(-1)!.at - addedAt);
  }
  // Short delays prove that notifications arrive: without them, a job waits up to a second for the next search. A busy machine delays some of them.
  expect(delays.sort((one, other) => one - other)[4]).toBeLessThan(250);
  expect((await opening).map(({ status }) => status)).toContain('rejected');
  end();
  await jobs.stop(Date.now() + 2_000);
  await pool.end();
  proxy.close();
});
