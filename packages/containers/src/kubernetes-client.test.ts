import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readClusterAccess, requireApiUrl, requireCredentials } from './kubernetes-access.js';
import { type Call, type KubernetesClient, kubernetesClient } from './kubernetes-client.js';
import { type ApiServer, json, startApiServer } from './testing/api-server.js';

const GET: Call = { method: 'GET', path: '/api/v1/pods', purpose: 'read the pods' };
const LIMITS = { timeoutMs: 300, maxBytes: 10_000 };

let server: ApiServer;
let folder: string;
let client: KubernetesClient;

beforeEach(async () => {
  server = await startApiServer();
  folder = mkdtempSync(join(tmpdir(), 'drawbridge-credentials-'));
  writeFileSync(join(folder, 'token'), 'first\n');
  writeFileSync(join(folder, 'ca.crt'), 'certificate');
  client = kubernetesClient(readClusterAccess(server.url, folder), LIMITS);
});
afterEach(async () => {
  client.close();
  await server.close();
  rmSync(folder, { recursive: true, force: true });
});

it('sends the token, the query and the body, and returns the response', async () => {
  server.answer = (_, response) => json(response, 201, { kind: 'Job' });
  const call: Call = { ...GET, method: 'POST', query: { labelSelector: 'a=b/c&d' }, body: { é: 1 } };
  expect(await client.call(call)).toEqual({ kind: 'Job' });
  expect(server.calls).toEqual([
    { method: 'POST', path: '/api/v1/pods', query: { labelSelector: 'a=b/c&d' }, token: 'first', body: { é: 1 } },
  ]);
});

it('reads a token that was replaced, and repeats a request if its token expired', async () => {
  server.answer = ({ token }, response) => {
    writeFileSync(join(folder, 'token'), 'second');
    if (token === 'first') json(response, 401, { reason: 'Unauthorized' });
    else json(response, 200, { token });
  };
  expect(await client.call(GET)).toEqual({ token: 'second' });
  expect(server.calls.map(({ token }) => token)).toEqual(['first', 'second']);
});

it('gives up after three refused tokens', async () => {
  server.answer = (_, response) => json(response, 401, { reason: 'Unauthorized', message: 'Unauthorized' });
  await expect(client.call(GET)).rejects.toMatchObject({ status: 401, purpose: 'read the pods' });
  expect(server.calls).toHaveLength(3);
});

it.each([
  ['token', /cannot read token in the folder SANDBOX_KUBERNETES_CREDENTIALS \(ENOENT\)/],
  ['ca.crt', /cannot read ca\.crt in the folder SANDBOX_KUBERNETES_CREDENTIALS \(ENOENT\)/],
])('names the file %s if it is missing', async (file, message) => {
  rmSync(join(folder, file));
  await expect(client.call(GET)).rejects.toMatchObject({
    code: 'ENGINE_UNAVAILABLE',
    message: expect.stringMatching(message),
  });
  expect(() => requireCredentials(folder)).toThrow('must be a folder with token and ca.crt');
});

it('names an empty token', async () => {
  writeFileSync(join(folder, 'token'), '\n');
  await expect(client.call(GET)).rejects.toThrow(
    'cannot read token in the folder SANDBOX_KUBERNETES_CREDENTIALS (it is empty)',
  );
});

it('waits as long as an overloaded server demands, and gives up after three attempts', async () => {
  const times: number[] = [];
  server.answer = (_, response) => {
    times.push(performance.now());
    response.setHeader('retry-after', '0.1');
    json(response, 429, { reason: 'TooManyRequests' });
  };
  await expect(client.call(GET)).rejects.toMatchObject({ status: 429 });
  expect(times).toHaveLength(3);
  expect(times[2]! - times[0]!).toBeGreaterThan(190);
});

it('stops waiting when its signal aborts', async () => {
  server.answer = (_, response) => {
    response.setHeader('retry-after', '5');
    json(response, 429, { reason: 'TooManyRequests' });
  };
  const started = performance.now();
  await expect(client.call({ ...GET, signal: AbortSignal.timeout(100) })).rejects.toThrow('aborted');
  expect(performance.now() - started).toBeLessThan(2_000);
});

it('repeats a request on a connection that the server closed', async () => {
  server.answer = (_, response) => {
    if (server.calls.length === 1) response.destroy();
    else json(response, 200, { ok: true });
  };
  expect(await client.call(GET)).toEqual({ ok: true });
});

describe.each([
  ['no response', (): void => undefined, 'no response within 0.3 s'],
  [
    'a response that never ends',
    (_: unknown, response: any): void => void response.writeHead(200).write('{'),
    'no response within 0.3 s',
  ],
  [
    'a response that is too large',
    (_: unknown, response: any): void => json(response, 200, { a: 'x'.repeat(20_000) }),
    'the response has more than 10000 bytes',
  ],
  [
    'a connection that always closes in the middle',
    (_: unknown, response: any): void => {
      response.writeHead(200, { 'content-length': '100' }).write('{');
      setTimeout(() => response.destroy(), 20);
    },
    'ECONNRESET',
  ],
  ['text', (_: unknown, response: any): void => response.writeHead(200).end('<html>'), 'not JSON'],
  ['a JSON number', (_: unknown, response: any): void => response.writeHead(200).end('1'), 'not JSON'],
  ['an error that is text', (_: unknown, response: any): void => response.writeHead(502).end('Bad gateway'), '502'],
])('with %s', (_, answer, message) => {
  it('fails with the operation and the reason', async () => {
    server.answer = answer as ApiServer['answer'];
    await expect(client.call(GET)).rejects.toThrow(`Could not read the pods: `);
    await expect(client.call(GET)).rejects.toThrow(message);
  });
});

it('names the reason of an error of the API', async () => {
  server.answer = (_, response) => json(response, 409, { reason: 'AlreadyExists', message: 'jobs "a" already exists' });
  await expect(client.call(GET)).rejects.toMatchObject({ status: 409, reason: 'AlreadyExists' });
  expect(server.calls).toHaveLength(1);
});

it('fails with the code of a connection that is refused', async () => {
  await server.close();
  await expect(client.call(GET)).rejects.toThrow('Could not read the pods: ECONNREFUSED');
});

it.each(['https://kubernetes.default.svc', 'https://10.96.0.1:6443', 'https://10.96.0.1:443', 'https://[::1]:6443'])(
  'accepts the address %s',
  (url) => expect(() => requireApiUrl(url)).not.toThrow(),
);

it.each(['http://10.96.0.1', '10.96.0.1:6443', 'https://a/b', 'https://user@a', 'https://a?b', 'https://'])(
  'refuses the address %s',
  (url) => expect(() => requireApiUrl(url)).toThrow('must be https://host'),
);
