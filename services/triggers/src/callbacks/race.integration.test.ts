import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { deliveriesOf, newDelivering, OK, tell } from '../testing/delivering.js';
import { database, newSource } from '../testing/sources.js';

const WORKER = fileURLToPath(new URL('../testing/callback-worker.mjs', import.meta.url));
const EVENTS = 1_000;
const LIMIT_MS = 90_000;

/** Number of attempts that reached the receiver, by delivery. */
const received = new Map<string, number>();

const start = (url: string): ChildProcess =>
  spawn(process.execPath, [WORKER], { env: { ...process.env, DATABASE_URL: url, MOST: '10' }, stdio: 'inherit' });

it('loses nothing and repeats no more than the attempts in flight when processes are killed', async () => {
  const server = createServer((req, res) => {
    const id = req.headers['x-svc-delivery'] as string;
    received.set(id, (received.get(id) ?? 0) + 1);
    req.resume().on('end', () => setTimeout(() => res.writeHead(200).end(), 20));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const sources = [];
  for (let n = 0; n < 4; n++) {
    const source = await newSource({ callbackUrl: `http://127.0.0.1:${port}/${n}` });
    sources.push(source);
    await tell(source, EVENTS / 4);
  }
  const url = (database.pool.options as { connectionString: string }).connectionString;
  const workers = [start(url), start(url)];
  let killed = 0;
  for (const share of [0.2, 0.45, 0.7]) {
    while (received.size < share * EVENTS) await sleep(5);
    const [victim] = workers.splice(killed % 2, 1);
    victim!.kill('SIGKILL');
    await once(victim!, 'exit');
    killed++;
    workers.push(start(url));
  }
  const end = Date.now() + LIMIT_MS;
  const undelivered = async () =>
    (await database.pool.query(`SELECT FROM triggers.deliveries WHERE status <> 'success'`)).rowCount!;
  while ((await undelivered()) > 0 && Date.now() < end) await sleep(200);
  for (const worker of workers) worker.kill('SIGKILL');
  server.close();
  server.closeAllConnections();

  const statuses = (await Promise.all(sources.map(deliveriesOf))).flat().map(({ status }) => status);
  expect(statuses.filter((status) => status === 'success')).toHaveLength(EVENTS);
  expect(received.size).toBe(EVENTS);
  const repeated = [...received.values()].filter((times) => times > 1);
  // Each killed process had at most 10 active callbacks for each of four sources, and only these may be sent twice.
  expect(repeated.length).toBeLessThanOrEqual(3 * 40);
  expect(Math.max(...received.values())).toBeLessThanOrEqual(1 + killed);
  process.stdout.write(`${repeated.length} of ${EVENTS} were sent again after ${killed} kills\n`);
}, 180_000);

it('delivers what the previous version stored', async () => {
  const server = createServer((req, res) => req.resume().on('end', () => res.writeHead(200).end())).listen(
    0,
    '127.0.0.1',
  );
  await once(server, 'listening');
  const source = await newSource({ callbackUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/` });
  await tell(source, 50);
  await database.pool.query('UPDATE triggers.deliveries SET is_ready = false WHERE source_id = $1', [source.id]);
  const worker = start((database.pool.options as { connectionString: string }).connectionString);
  const all = async () => (await deliveriesOf(source)).every(({ status }) => status === 'success');
  for (const end = Date.now() + 30_000; !(await all()) && Date.now() < end;) await sleep(100);
  worker.kill('SIGKILL');
  server.close();
  server.closeAllConnections();
  expect(await all()).toBe(true);
}, 60_000);

/** Claims deliveries like the previous version of Drawbridge, which does not maintain the column `is_ready`. */
const claimOld = async (orgId: string): Promise<string[]> => {
  const { rows } = await database.pool.query<{ id: string }>(
    `UPDATE triggers.deliveries SET attempt = attempt + 1, updated_at = now(), in_flight = true,
      tries = CASE WHEN in_flight THEN greatest(tries, 1) ELSE tries + 1 END, due_at = now() + interval '25 seconds'
    WHERE org_id = $1 AND id IN (SELECT id FROM triggers.deliveries WHERE org_id = $1 AND due_at <= now()
      AND status IN ('pending', 'retrying') AND NOT held ORDER BY due_at, id LIMIT 5 FOR UPDATE SKIP LOCKED) RETURNING id`,
    [orgId],
  );
  return rows.map(({ id }) => id);
};

it('delivers each once beside a process of the previous version', async () => {
  const source = await newSource();
  const { orgId } = source;
  for (let n = 0; n < 4; n++) await tell(source, 100);
  const sent: string[] = [];
  const ours = newDelivering({
    async send({ headers }) {
      sent.push(headers!['x-svc-delivery']!);
      await sleep(5);
      return OK;
    },
  });
  const isOver = async (): Promise<boolean> => (await deliveriesOf(source)).every(({ status }) => status === 'success');
  let failures = 0;
  const theirs = async (): Promise<void> => {
    while (!(await isOver())) {
      for (const id of await claimOld(orgId)) {
        const fails = failures < 50;
        // Records a result like the previous version: it writes the due time of a failure and does not change `is_ready`.
        const end = fails ? "'retrying', due_at = now() + interval '200 ms'" : "'success', delivered_at = now()";
        if (fails) failures++;
        else sent.push(id);
        await database.pool.query(`UPDATE triggers.deliveries SET in_flight = false, status = ${end} WHERE id = $1`, [
          id,
        ]);
      }
      await sleep(5);
    }
  };
  await Promise.all([theirs(), ours.task({ orgId })]);
  expect(failures).toBeGreaterThan(0);
  expect([sent.length, new Set(sent).size]).toEqual([400, 400]);
}, 60_000);
