import { inspect } from 'node:util';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { createEgress, EgressError, type Egress, type OutgoingRequest } from './index.js';
import { startCountingServer, type CountingServer } from './testing/counting-server.js';

const MEBIBYTE = Buffer.alloc(1024 * 1024, 'a');

let server: CountingServer;
let egress: Egress;
let url: string;

// A server that fails in a different way for each path.
beforeEach(async () => {
  server = await startCountingServer((req, res) => {
    const path = req.url?.split('?')[0];
    if (path === '/silent') return;
    if (path === '/endless') return void setInterval(() => res.write('a'), 5).unref();
    if (path === '/cut') return void res.writeHead(200, { 'content-length': '10' }).write('a', () => res.destroy());
    if (path === '/hang-up') return void req.socket.destroy();
    if (path === '/not-http') return void req.socket.end('s3cret is no status line\r\n\r\n');
    if (path === '/headers') return void res.writeHead(200, { 'x-big': 'a'.repeat(20_000) }).end();
    if (path === '/gzip') return void res.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync(MEBIBYTE));
    if (path === '/small')
      return void res.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync(MEBIBYTE.subarray(0, 20_000)));
    if (path === '/deflate')
      return void res.writeHead(200, { 'content-encoding': 'deflate' }).end(deflateSync(MEBIBYTE));
    if (path === '/br') return void res.writeHead(200, { 'content-encoding': 'br' }).end(brotliCompressSync(MEBIBYTE));
    if (path === '/bad-gzip') return void res.writeHead(200, { 'content-encoding': 'gzip' }).end('s3cret');
    if (path === '/other-coding') return void res.writeHead(200, { 'content-encoding': 'zstd' }).end('as it is');
    res.end(MEBIBYTE);
  });
  egress = createEgress({ allow: ['127.0.0.1', 'localhost'] });
  url = `http://127.0.0.1:${server.port}`;
});
afterEach(async () => {
  await server.close();
  await egress.close();
});

/** Returns the error of a failed request, and checks that it contains no secrets. */
async function failure(path: string, request: Partial<OutgoingRequest> = {}): Promise<EgressError> {
  const headers = { authorization: 'Bearer s3cret' };
  const sending = egress.sendFor('acme')({
    method: 'POST',
    url: `${url}${path}?key=s3cret`,
    headers,
    body: 's3cret',
    ...request,
  });
  const error = await sending.then(
    () => undefined,
    (caught: unknown) => caught,
  );
  if (!(error instanceof EgressError)) throw new Error('expected an EgressError');
  expect(inspect(error, { depth: 10 })).not.toContain('s3cret');
  return error;
}

describe('the size limit', () => {
  it('admits an answer of exactly that size and refuses one byte more', async () => {
    const exact = { method: 'GET', url, maxBytes: MEBIBYTE.length };
    expect((await egress.sendFor('acme')(exact)).body).toHaveLength(MEBIBYTE.length);
    expect(await failure('/', { maxBytes: MEBIBYTE.length - 1 })).toMatchObject({ code: 'TOO_LARGE', sent: true });
  });

  it('ends an answer that never ends', async () => {
    expect(await failure('/endless', { maxBytes: 3 })).toMatchObject({ code: 'TOO_LARGE', sent: true });
  });

  it.each(['/gzip', '/deflate', '/br'])('limits the decoded body of %s', async (path) => {
    const { headers, body } = await egress.sendFor('acme')({
      method: 'GET',
      url: url + path,
      maxBytes: MEBIBYTE.length,
    });
    expect(Buffer.compare(body, MEBIBYTE)).toBe(0);
    expect(headers).not.toHaveProperty('content-encoding');
    expect(await failure(path, { maxBytes: MEBIBYTE.length - 1 })).toMatchObject({ code: 'TOO_LARGE', sent: true });
  });

  it('applies a lower limit of the caller to a small decoded body', async () => {
    const { body } = await egress.sendFor('acme')({ method: 'GET', url: `${url}/small`, maxBytes: 20_000 });
    expect(body).toHaveLength(20_000);
    expect(await failure('/small', { maxBytes: 19_999 })).toMatchObject({ code: 'TOO_LARGE', sent: true });
  });

  it('hands a coding it does not know on as it came', async () => {
    const { headers, body } = await egress.sendFor('acme')({ method: 'GET', url: `${url}/other-coding` });
    expect([headers['content-encoding'], Buffer.from(body).toString()]).toEqual(['zstd', 'as it is']);
  });
});

describe('the time limit', () => {
  it.each(['/silent', '/endless'])('ends a wait for %s', async (path) => {
    expect(await failure(path, { timeoutMs: 100 })).toMatchObject({ code: 'TIMEOUT', sent: true });
  });

  it('includes resolving and connecting, when nothing was sent yet', async () => {
    egress = createEgress({ resolve: () => new Promise(() => {}) });
    const request = { method: 'GET', url: 'http://slow.example/', timeoutMs: 20 };
    await expect(egress.sendFor('acme')(request)).rejects.toMatchObject({ code: 'TIMEOUT', sent: false });
    egress = createEgress();
  });

  it('lets a request that was stopped while connecting never leave', async () => {
    let answer = (_: string[]) => {};
    const resolve = () => new Promise<string[]>((resolved) => (answer = resolved));
    const slow = createEgress({ resolve, allow: ['slow.example'] });
    const request = { method: 'POST', url: `http://slow.example:${server.port}/`, timeoutMs: 20 };
    await expect(slow.sendFor('acme')(request)).rejects.toMatchObject({ code: 'TIMEOUT', sent: false });
    answer(['127.0.0.1']);
    await slow.close();
    expect(server.requests()).toBe(0);
  });
});

describe('an abort', () => {
  it('before sending opens no connection', async () => {
    const error = await failure('/', { signal: AbortSignal.abort() });
    expect(error).toMatchObject({ code: 'ABORTED', sent: false });
    expect(server.connections()).toBe(0);
  });

  it('ends a request under way', async () => {
    const controller = new AbortController();
    const failing = failure('/silent', { signal: controller.signal });
    await server.nextRequest();
    controller.abort();
    expect(await failing).toMatchObject({ code: 'ABORTED', sent: true });
  });
});

describe('a failure', () => {
  it.each([
    ['/cut', 'UNREACHABLE'],
    ['/hang-up', 'UNREACHABLE'],
    ['/not-http', 'INVALID_RESPONSE'],
    ['/bad-gzip', 'INVALID_RESPONSE'],
    ['/headers', 'TOO_LARGE'],
  ])('%s is %s, may have been sent, and names the host alone', async (path, code) => {
    const error = await failure(path);
    expect(error).toMatchObject({ code, sent: true });
    expect(error.message).toMatch(new RegExp(`^127\\.0\\.0\\.1:${server.port}: `));
  });

  it('to connect was never sent', async () => {
    await server.close();
    expect(await failure('/')).toMatchObject({ code: 'UNREACHABLE', sent: false });
  });

  it('to resolve was never sent', async () => {
    const refusing = createEgress({ resolve: async () => [] });
    const sending = refusing.sendFor('acme')({ method: 'GET', url: 'http://nowhere.example/' });
    await expect(sending).rejects.toMatchObject({ code: 'UNREACHABLE', sent: false });
    await refusing.close();
  });

  it('after close is one like any other', async () => {
    await egress.close();
    expect(await failure('/')).toMatchObject({ code: 'UNREACHABLE', sent: false });
    egress = createEgress();
  });
});
