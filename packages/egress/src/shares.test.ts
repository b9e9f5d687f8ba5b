import { setMaxListeners } from 'node:events';
import { createEgress, type Egress } from './index.js';
import { startCountingServer, type CountingServer } from './testing/counting-server.js';
import { type NameServer, startNameServer } from '@drawbridge/testkit';
import { systemResolve } from './system-resolve.js';

const HANGING = 200;

let names: NameServer;
let server: CountingServer;
let egress: Egress;
let ended: AbortController;

// Never responds to /hang, and responds to any other path immediately.
beforeEach(async () => {
  ended = new AbortController();
  setMaxListeners(0, ended.signal);
  names = await startNameServer({ 'slow.example': 'silent', 'fast.example': { a: ['127.0.0.1'] } });
  server = await startCountingServer((req, res) => req.url !== '/hang' && res.end('ok'));
  const resolve = systemResolve({ servers: [names.address], hostsFile: '/dev/null', resolvConf: '/dev/null' });
  egress = createEgress({ resolve, allow: ['127.0.0.1', 'fast.example'] });
});
afterEach(async () => {
  ended.abort();
  await egress.close();
  await Promise.all([server.close(), names.close()]);
});

function send(tenant: string, url: string, request: object = {}) {
  const { host, pathname } = new URL(url);
  return egress.sendFor(tenant)({ method: 'GET', url: `http://${host}:${server.port}${pathname}`, ...request });
}

/** Starts requests that stay open until the signal `ended` aborts. */
function hang(tenant: string, url: string, count = HANGING) {
  return Array.from({ length: count }, () => {
    const own = new AbortController();
    ended.signal.addEventListener('abort', () => own.abort());
    return send(tenant, url, { signal: own.signal }).catch((error) => error.code);
  });
}

it('resolves at most twenty names of one tenant at once, without delaying others', async () => {
  const hanging = hang('noisy', 'http://slow.example/');
  expect((await send('calm', 'http://fast.example/')).status).toBe(200);
  // Each look-up sends one query for IPv4 and one query for IPv6, and repeats each query after a timeout, so twenty look-ups send at most 80 queries.
  expect(new Set(names.asked)).toEqual(new Set(['slow.example', 'fast.example']));
  expect(names.asked.filter((name) => name === 'slow.example').length).toBeLessThanOrEqual(2 * 2 * 20);
  ended.abort();
  expect(new Set(await Promise.all(hanging))).toEqual(new Set(['ABORTED']));
});

it('one tenant has a hundred requests under way at once, and no other waits for them', async () => {
  const hanging = hang('noisy', 'http://127.0.0.1/hang');
  while (server.requests() < 100) await new Promise(setImmediate);
  expect((await send('calm', 'http://127.0.0.1/')).status).toBe(200);
  expect(server.requests()).toBe(101);
  ended.abort();
  expect(new Set(await Promise.all(hanging))).toEqual(new Set(['ABORTED']));
});

it('waiting takes of a request the time that it has, and nothing was sent', async () => {
  hang('noisy', 'http://127.0.0.1/hang', 100);
  const late = send('noisy', 'http://127.0.0.1/', { timeoutMs: 50 });
  await expect(late).rejects.toMatchObject({
    code: 'TIMEOUT',
    sent: false,
    host: expect.stringContaining('127.0.0.1'),
  });
});

it('the next one goes when one of its tenant ends', async () => {
  hang('noisy', 'http://127.0.0.1/hang', 99);
  const statuses = await Promise.all([1, 2, 3].map(async () => (await send('noisy', 'http://127.0.0.1/')).status));
  expect(statuses).toEqual([200, 200, 200]);
});

it('a line that is too long takes no more', async () => {
  hang('noisy', 'http://127.0.0.1/hang', 1_100);
  await expect(send('noisy', 'http://127.0.0.1/')).rejects.toMatchObject({ code: 'TOO_BUSY', sent: false });
  expect((await send('calm', 'http://127.0.0.1/')).status).toBe(200);
});
