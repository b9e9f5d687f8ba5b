import { gzipSync } from 'node:zlib';
import { createEgress, type Egress } from './index.js';
import { startCountingServer, type CountingServer } from './testing/counting-server.js';

const LARGE = 'x'.repeat(5_000_000);

let server: CountingServer;
let egress: Egress;

beforeEach(async () => {
  server = await startCountingServer(({ url = '' }, res) => {
    const body = url.startsWith('/large') ? LARGE : 'small';
    if (url.endsWith('.gz')) res.setHeader('content-encoding', 'gzip').end(gzipSync(body));
    else res.end(body);
  });
  egress = createEgress({ allow: ['127.0.0.1'] });
});
afterEach(async () => {
  await egress.close();
  await server.close();
});

const get = (path: string, makeRoom: (signal: AbortSignal) => Promise<void>, timeoutMs?: number) =>
  egress.sendFor('acme')({ method: 'GET', url: `http://127.0.0.1:${server.port}${path}`, makeRoom, timeoutMs });

it('asks for room once, for a large answer alone', async () => {
  let asked = 0;
  const makeRoom = async (): Promise<void> => void asked++;
  expect((await get('/small', makeRoom)).body).toHaveLength(5);
  expect(asked).toBe(0);
  expect((await get('/large', makeRoom)).body).toHaveLength(LARGE.length);
  expect(asked).toBe(1);
});

it('reserves memory for a compressed body before decoding', async () => {
  expect(gzipSync(LARGE).length).toBeLessThan(10_000);
  let asked = 0;
  const makeRoom = async (): Promise<void> => void asked++;
  expect(Buffer.from((await get('/small.gz', makeRoom)).body).toString()).toBe('small');
  expect(asked).toBe(0);
  expect((await get('/large.gz', makeRoom)).body).toHaveLength(LARGE.length);
  expect(asked).toBe(1);
  const noRoom = async (): Promise<never> => Promise.reject(Object.assign(new Error(), { code: 'TOO_BUSY' }));
  await expect(get('/large.gz', noRoom)).rejects.toMatchObject({ code: 'TOO_BUSY', sent: true });
});

it('reads on when there is room', async () => {
  let isAnswered = false;
  let open = (): void => undefined;
  const room = new Promise<void>((resolve) => (open = resolve));
  const answer = get('/large', () => room).finally(() => (isAnswered = true));
  await get('/small', async () => undefined);
  expect(isAnswered).toBe(false);
  open();
  expect((await answer).body).toHaveLength(LARGE.length);
});

it('waits no longer for it than the request has time, and then leaves', async () => {
  let left = false;
  const never = (signal: AbortSignal): Promise<void> =>
    new Promise((_resolve, reject) => {
      signal.addEventListener('abort', () => {
        left = true;
        reject(signal.reason as Error);
      });
    });
  await expect(get('/large', never, 2_000)).rejects.toMatchObject({ code: 'TIMEOUT', sent: true });
  expect(left).toBe(true);
});
