import { once } from 'node:events';
import { chmodSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { type AddressInfo } from 'node:net';
import { networkInterfaces } from 'node:os';
import { join } from 'node:path';
import { cli } from '../testing/cli.js';

const { DATA_DIR, start, admin, remove } = cli();
let product: Awaited<ReturnType<typeof start>>;
let port: string;

beforeAll(async () => {
  product = await start();
  ({ port } = new URL(product.baseUrl));
});
afterAll(async () => {
  await product?.stop();
  await remove();
});

interface Finding {
  check: string;
  status: string;
  found: string;
  advice?: string;
}

async function examine(env: NodeJS.ProcessEnv = {}) {
  const { code, document } = await admin(['doctor'], { PORT: port, METRICS_PORT: '0', GRPC_PORT: '0', ...env });
  const checks: Finding[] = document.checks ?? [];
  const worst = (check: string): Finding | undefined =>
    ['failed', 'warning', 'ok'].flatMap((status) =>
      checks.filter((one) => one.check === check && one.status === status),
    )[0];
  return { code, document, worst };
}

it('finds a running instance sound, warns of what suits a trial only, and prints no secret', async () => {
  const { code, document, worst } = await examine();
  expect({ code, status: document.status }).toEqual({ code: 0, status: 'warning' });
  for (const check of ['running', 'clock', 'egress']) expect(worst(check)).toMatchObject({ status: 'ok' });
  for (const check of ['base-url', 'master-keys', 'database', 'files']) {
    expect(worst(check)).toEqual({ check, status: 'warning', found: expect.any(String), advice: expect.any(String) });
  }
  for (const file of ['master-keys', 'internal-key']) {
    expect(JSON.stringify(document)).not.toContain(readFileSync(join(DATA_DIR, file), 'utf8'));
  }
  expect(JSON.stringify(document)).not.toContain(product.firstKey.split(' ')[0]);
});

it('fails if no instance answers, or if another program does', async () => {
  const other = createServer((_request, response) => void response.end('{}')).listen(0, '127.0.0.1');
  await once(other, 'listening');
  const { port: taken } = other.address() as AddressInfo;
  expect(await examine({ PORT: String(taken) })).toMatchObject({
    code: 1,
    document: { checks: expect.arrayContaining([expect.objectContaining({ check: 'running', status: 'failed' })]) },
  });
  other.close();
  const { code, worst } = await examine({ PORT: String(taken) });
  expect(code).toBe(1);
  expect(worst('running')?.found).toContain('ECONNREFUSED');
});

const key = (byte: number): string => Buffer.alloc(32, byte).toString('base64');
const SENTENCE = Buffer.from('the quick brown fox jumped over.').toString('base64');

it.each([
  ['master-keys', { MASTER_KEYS: `k1:${key(7)}` }, 'not random: k1'],
  ['master-keys', { MASTER_KEYS: `k1:${SENTENCE}` }, 'not random: k1'],
  ['keys', { INTERNAL_KEY: 'ab'.repeat(20) }, 'INTERNAL_KEY is not random'],
  ['base-url', { BASE_URL: 'http://gateway.example.com' }, 'http://gateway.example.com has no TLS'],
  ['base-url', { BASE_URL: 'https://gateway.invalid' }, 'https://gateway.invalid: '],
  ['engine', { DOCKER_HOST: 'tcp://10.0.0.1:2375' }, 'tcp://10.0.0.1:2375 has no TLS'],
])('fails on %s with %j', async (check, env, found) => {
  const { code, worst } = await examine(env);
  expect(code).toBe(1);
  expect(worst(check)).toMatchObject({ status: 'failed', found: expect.stringContaining(found) });
});

it.each([
  ['egress', { EGRESS_ALLOW: '10.1.2.3,10.0.0.0/8' }, 'EGRESS_ALLOW opens 10.0.0.0/8'],
  ['database', { DATABASE_URL: 'postgresql://a:secret@db.example.com/x' }, 'on db.example.com without TLS'],
])('warns about %s with %j', async (check, env, found) => {
  const { document, worst } = await examine(env);
  expect(worst(check)).toMatchObject({ status: 'warning', found: expect.stringContaining(found) });
  expect(JSON.stringify(document)).not.toContain('secret@');
});

it('accepts random keys and a database with TLS', async () => {
  const random = Buffer.from(Array.from({ length: 32 }, (_, index) => (index * 37 + 200) % 256)).toString('base64');
  const { worst } = await examine({
    MASTER_KEYS: `k1:${random}`,
    INTERNAL_KEY: '0123456789abcdef0123456789abcdef',
    DATABASE_URL: 'postgresql://db.example.com/x?sslmode=verify-full',
  });
  for (const check of ['master-keys', 'keys', 'database']) expect(worst(check)).toMatchObject({ status: 'ok' });
});

it('fails if other users can read a secret in DATA_DIR', async () => {
  const file = join(DATA_DIR, 'internal-key');
  chmodSync(file, 0o644);
  const { code, worst } = await examine();
  chmodSync(file, 0o600);
  expect(code).toBe(1);
  expect(worst('files')).toMatchObject({ found: `other users can read ${file}`, advice: `Run: chmod 600 ${file}` });
});

it('names a port that other machines reach', async () => {
  const metrics = createServer((_request, response) => void response.end()).listen(0, '0.0.0.0');
  await once(metrics, 'listening');
  const METRICS_PORT = String((metrics.address() as AddressInfo).port);
  const { document, worst } = await examine({ METRICS_PORT });
  metrics.close();
  const reachable = worst('ports')!;
  // A machine that has only a loopback address is not reachable by others.
  if (reachable.status === 'ok')
    expect(document.checks.filter(({ check }: Finding) => check === 'ports')).toHaveLength(3);
  else expect(reachable.found).toMatch(`METRICS_PORT ${METRICS_PORT} is open on `);
});

it('calls no port closed that other machines reach', async () => {
  const answer = JSON.stringify({ status: 'ok', unready: [], degraded: [], reasons: [] });
  const server = createServer((_request, response) => void response.end(answer)).listen(0, '0.0.0.0');
  await once(server, 'listening');
  const PORT = String((server.address() as AddressInfo).port);
  const { document } = await examine({ PORT });
  server.close();
  const isReachable = Object.values(networkInterfaces()).some((all) => all?.some(({ internal }) => !internal));
  const found = document.checks.map((finding: Finding) => finding.found);
  expect(found.includes(`PORT ${PORT} is not open to other machines`)).toBe(!isReachable);
});

it('names an invalid variable', async () => {
  expect(await examine({ TRUST_PROXY: 'all' })).toMatchObject({
    code: 1,
    document: { code: 'VALIDATION_ERROR', error: expect.stringContaining('TRUST_PROXY') },
  });
});
