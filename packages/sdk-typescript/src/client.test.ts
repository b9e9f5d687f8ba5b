import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ApiError, ConnectionError, RequestTimeoutError } from './api-error.js';
import { Drawbridge } from './client.js';
import { type ErrorCode, ERRORS, NotFoundError, ValidationError } from './gen/errors.js';
import { REQUESTS } from './gen/resources.js';
import { retryAfter } from './retry.js';
import { type Reply, testServer, type TestServer } from './testing/server.js';

let server: TestServer;
let client: Drawbridge;

beforeAll(async () => {
  server = await testServer();
  client = new Drawbridge({ baseUrl: `${server.url}/`, apiKey: 'svc_key', workspaceId: 'w1' });
});
afterAll(() => server.stop());

const ERRORS_PAGE = readFileSync(join(import.meta.dirname, '../../../docs/errors.md'), 'utf8');
const CODES = [...ERRORS_PAGE.matchAll(/^\| `(\w+)` \| (\d+)/gm)].map(([, code, status]) => [code, Number(status)]);

const refusal = (status: number, code: string, details = {}): Reply => ({
  status,
  headers: { 'retry-after': '0' },
  body: { error: 'Refused.', code, details },
});

async function caught(promise: PromiseLike<unknown>): Promise<unknown> {
  return promise.then(
    () => {
      throw new Error('It succeeded');
    },
    (error: unknown) => error,
  );
}

describe('a request', () => {
  it('carries the key, the source, ids in the path, and the body', async () => {
    server.reply({ body: { workspace: { id: 'w 1' } } });
    expect(await client.workspaces.update('w 1/x', { name: 'Acme' })).toEqual({ workspace: { id: 'w 1' } });
    expect(server.received).toEqual([
      expect.objectContaining({ method: 'PATCH', path: '/api/v1/workspaces/w%201%2Fx', body: { name: 'Acme' } }),
    ]);
    expect(server.received[0]!.headers).toMatchObject({ authorization: 'Bearer svc_key', 'x-svc-source': 'sdk' });
  });

  it('carries its query without absent values, and the fixed ones of its method', async () => {
    server.reply({ body: { integrations: [] } });
    await client.executions.list({ workspaceId: 'w1', cursor: undefined, limit: 2 });
    await client.integrations.listSummaries();
    await client.integrations.get('github');
    expect(server.received.map(({ path }) => path)).toEqual([
      '/api/v1/executions?workspaceId=w1&limit=2',
      '/api/v1/integrations?summary=true',
      '/api/v1/integrations?name=github',
    ]);
  });

  it.each(['', '.', '..'])('refuses the id %j, which would reach another operation', (id) => {
    server.reply({ body: {} });
    expect(() => client.workspaceIntegrations.delete('w1', id)).toThrow(
      new TypeError(`id must be a non-empty string other than . and .. (got '${id}')`),
    );
    expect(server.received).toEqual([]);
  });

  it('keeps the options of the client where its own are undefined', async () => {
    const once = new Drawbridge({ baseUrl: server.url, maxRetries: 0 });
    server.reply(refusal(503, 'UNAVAILABLE'));
    await caught(once.workspaces.get('w1', { maxRetries: undefined }));
    expect(server.received).toHaveLength(1);
  });

  it('follows no redirect: it would turn a POST into a GET', async () => {
    server.reply({ status: 302, headers: { location: '/api/v1/workspaces' } }, { body: { workspaces: [] } });
    const error = await caught(client.workspaces.create({ name: 'Acme', slug: 'acme' }));
    expect(error).toMatchObject({ code: 'HTTP_302', status: 302 });
    expect(server.received).toHaveLength(1);
  });

  it.each(['svc_a\nsvc_b', 'svc_…', 'svc_a b', '\tsvc_\u200Ba'])(
    'carries no key like %j, and does not repeat it',
    (apiKey) => {
      const error = (() => {
        try {
          return void new Drawbridge({ baseUrl: server.url, apiKey });
        } catch (thrown) {
          return thrown;
        }
      })();
      expect(error).toEqual(new TypeError('apiKey must be the text of one API key, in ASCII and without spaces'));
    },
  );

  it('carries a key from a file with a line break at its end', async () => {
    server.reply({ body: {} });
    await new Drawbridge({ baseUrl: server.url, apiKey: 'svc_key\n' }).workspaces.get('w1');
    expect(server.received[0]!.headers.authorization).toBe('Bearer svc_key');
  });

  it('needs an address', () => {
    expect(() => new Drawbridge({ baseUrl: 'drawbridge.example.com' })).toThrow(/baseUrl must be the http or https/);
  });

  it('names every operation of the document once, or with narrower forms', () => {
    expect(Object.keys(client)).toEqual(expect.arrayContaining(Object.keys(REQUESTS)));
  });
});

describe('an error', () => {
  it.each(CODES)('of %s is of a class of its own', async (code, status) => {
    server.reply(refusal(status as number, code as string, { some: 'detail' }));
    const error = await caught(client.workspaces.get('w1', { maxRetries: 0 }));
    expect(error).toBeInstanceOf(ERRORS[code as ErrorCode]);
    expect(error).toMatchObject({ message: 'Refused.', code, status, details: { some: 'detail' } });
    expect((error as Error).name).toBe(ERRORS[code as ErrorCode].name);
  });

  it('of an unknown code, or of a proxy, is an ApiError', async () => {
    server.reply(refusal(418, 'TEAPOT'), { status: 502, text: '<html>' });
    expect(await caught(client.workspaces.get('w1'))).toMatchObject({ code: 'TEAPOT', status: 418 });
    const error = await caught(client.workspaces.get('w1', { maxRetries: 0 }));
    expect(error).toBeInstanceOf(ApiError);
    expect(error).toMatchObject({ code: 'HTTP_502', message: 'The server answered 502 <html>' });
  });

  it('says why no response arrived', async () => {
    server.reply({ kind: 'breaks' });
    const error = await caught(client.workspaces.get('w1', { maxRetries: 0 }));
    expect(error).toBeInstanceOf(ConnectionError);
    expect((error as Error).message).toMatch(/^GET http.*\/workspaces\/w1 failed: \w/);
  });
});

describe('a retry', () => {
  it.each([
    ['RATE_LIMITED', refusal(429, 'RATE_LIMITED')],
    ['UNAVAILABLE', refusal(503, 'UNAVAILABLE')],
  ])('is sent after %s, for which nothing was changed', async (_, reply) => {
    server.reply(reply, reply, { body: { workspace: {} } });
    await client.workspaces.create({ name: 'Acme', slug: 'acme' });
    expect(server.received).toHaveLength(3);
  });

  it.each<[string, Reply]>([
    ['a lost connection', { kind: 'breaks' }],
    ['a failure of the server', refusal(500, 'INTERNAL')],
    ['an unknown outcome', refusal(503, 'UNAVAILABLE', { reason: 'outcome_unknown' })],
  ])('after %s is sent only if repeating changes nothing', async (_, reply) => {
    server.reply(reply, { body: {} });
    await client.workspaces.get('w1');
    expect(server.received).toHaveLength(2);
    server.reply(reply, { body: {} });
    await caught(client.workspaces.create({ name: 'Acme', slug: 'acme' }));
    expect(server.received).toHaveLength(1);
  });

  it('of an action has the idempotency key of the first attempt, and waits for that one', async () => {
    server.reply({ kind: 'breaks' }, refusal(409, 'DUPLICATE', { reason: 'in_progress' }), { body: { success: true } });
    await client.actions.execute({ integrationName: 'hash-encode', actionName: 'hash' });
    const keys = server.received.map(({ body }) => body.idempotencyKey);
    expect(keys).toHaveLength(3);
    expect(new Set(keys)).toEqual(new Set([expect.stringMatching(/^[0-9a-f-]{36}$/)]));
    expect(server.received[0]!.body).toMatchObject({ workspaceId: 'w1', actionName: 'hash' });
  });

  it('of an action has a key also if the program names none', async () => {
    server.reply({ kind: 'breaks' }, { body: { success: true } });
    await client.actions.execute({ integrationName: 'hash-encode', actionName: 'hash', idempotencyKey: undefined });
    expect(server.received.map(({ body }) => body.idempotencyKey)).toEqual([expect.any(String), expect.any(String)]);
  });

  it('is not sent for a refusal, nor beyond the limit, nor if the server asks for a long pause', async () => {
    server.reply(refusal(409, 'DUPLICATE', { reason: 'in_progress' }));
    await caught(client.actions.execute({ integrationName: 'hash-encode', actionName: 'hash' }));
    expect(server.received).toHaveLength(1);
    server.reply(refusal(429, 'RATE_LIMITED'));
    await caught(client.workspaces.get('w1', { maxRetries: 2 }));
    expect(server.received).toHaveLength(3);
    server.reply({ ...refusal(429, 'RATE_LIMITED'), headers: { 'retry-after': '3600' } });
    expect(await caught(client.workspaces.get('w1'))).toMatchObject({ code: 'RATE_LIMITED' });
    expect(server.received).toHaveLength(1);
  });

  it.each<[string, number | undefined]>([
    ['2', 2_000],
    [new Date(Date.now() - 5_000).toUTCString(), 0],
    ...['-5', '1.5', '1, 2', '', 'soon'].map((value): [string, undefined] => [value, undefined]),
  ])('has a pause before it for Retry-After: %s', (value, expected) => {
    expect(retryAfter(new Headers({ 'retry-after': value }))).toBe(expected);
  });
});

describe('a time limit', () => {
  /** A server of its own, because aborted requests may arrive late and would take the replies of other tests. */
  let slow: TestServer;
  let impatient: Drawbridge;
  beforeAll(async () => {
    slow = await testServer();
    impatient = new Drawbridge({ baseUrl: slow.url });
  });
  afterAll(() => slow.stop());

  it('ends a request without a response', async () => {
    slow.reply({ kind: 'hangs' });
    const error = await caught(impatient.workspaces.get('w1', { timeoutMs: 20, maxRetries: 0 }));
    expect(error).toEqual(new RequestTimeoutError('GET /api/v1/workspaces/w1 got no response within 20 ms'));
  });

  it('is also that of a signal, with its reason, during a request and during a pause', async () => {
    slow.reply({ kind: 'hangs' });
    const reason = new Error('The user left');
    const aborted = (after: number): AbortSignal => {
      const controller = new AbortController();
      setTimeout(() => controller.abort(reason), after);
      return controller.signal;
    };
    expect(await caught(impatient.workspaces.get('w1', { signal: aborted(20) }))).toBe(reason);
    slow.reply({ ...refusal(503, 'UNAVAILABLE'), headers: { 'retry-after': '50' } });
    expect(await caught(impatient.workspaces.get('w1', { signal: aborted(50) }))).toBe(reason);
    expect(await caught(impatient.workspaces.get('w1', { signal: AbortSignal.abort(reason) }))).toBe(reason);
  });
});

describe('a list', () => {
  const named = (...names: string[]): object[] => names.map((name) => ({ name }));

  it('is the first page when it is awaited, and all items when it is iterated over', async () => {
    const page = { workspaces: named('a', 'b'), total: 3 };
    server.reply({ body: page });
    expect(await client.workspaces.list({ limit: 2 })).toEqual(page);
    expect(server.received).toHaveLength(1);

    server.reply({ body: page }, { body: { workspaces: named('c'), total: 3 } });
    const names = [];
    for await (const { name } of client.workspaces.list({ limit: 2 })) names.push(name);
    expect(names).toEqual(['a', 'b', 'c']);
    expect(server.received.map(({ path }) => path.split('?')[1])).toEqual(['limit=2', 'limit=2&offset=2']);
  });

  it('follows cursors, also across an empty page', async () => {
    const pages = [
      { executions: named('a'), nextCursor: 'one' },
      { executions: [], nextCursor: 'two' },
      { executions: named('b'), nextCursor: null },
    ];
    server.reply(...pages.map((body) => ({ body })));
    expect(await client.executions.list({ workspaceId: 'w1' }).toArray()).toEqual(named('a', 'b'));
    expect(server.received.map(({ path }) => new URLSearchParams(path.split('?')[1]).get('cursor'))).toEqual([
      ...[null, 'one', 'two'],
    ]);
  });

  it('requests no page that is not needed', async () => {
    server.reply({ body: { workspaces: named('a', 'b'), total: 3 } });
    expect(await client.workspaces.list().toArray(2)).toEqual(named('a', 'b'));
    const unused = client.workspaces.list();
    expect(server.received).toHaveLength(1);
    expect(await unused.finally(() => undefined)).toMatchObject({ total: 3 });
  });

  it('fails where it is awaited', async () => {
    server.reply(refusal(404, 'NOT_FOUND'));
    await expect(client.endUsers.list({ workspaceId: 'w1' })).rejects.toThrow(NotFoundError);
    expect(await client.endUsers.list({ workspaceId: 'w1' }).catch(() => 'caught')).toBe('caught');
    server.reply(refusal(400, 'VALIDATION_ERROR'));
    await expect(client.workspaces.list().toArray()).rejects.toThrow(ValidationError);
  });
});

describe('a stream', () => {
  it('yields server-sent events', async () => {
    const text = 'id: 1\nevent: console\ndata: {"text":\ndata: "3"}\n\n: comment\n\nevent: end\r\ndata: 1\r\n\r\n';
    server.reply({ headers: { 'content-type': 'text/event-stream' }, text });
    const events = [];
    for await (const event of client.executions.streamEvents('e1')) events.push(event);
    expect(events).toEqual([
      { id: '1', event: 'console', data: { text: '3' } },
      { id: '1', event: 'end', data: 1 },
    ]);
  });

  it('yields events with the line separators that JSON leaves unescaped', async () => {
    server.reply({ headers: { 'content-type': 'text/event-stream' }, text: 'data: {"text":"a\u2028b\u2029c"}\n\n' });
    const texts = [];
    for await (const { data } of client.executions.streamEvents('e1')) texts.push((data as { text: string }).text);
    expect(texts).toEqual(['a\u2028b\u2029c']);
  });

  it('yields the lines of an export', async () => {
    server.reply({ text: '{"id":"a"}\n{"id":"ä"}' });
    const ids = [];
    for await (const { id } of client.auditLog.export({ from: '2026-01-01T00:00:00.000Z' })) ids.push(id);
    expect(ids).toEqual(['a', 'ä']);
    expect(server.received[0]!.path).toBe('/api/v1/audit-log/export?from=2026-01-01T00%3A00%3A00.000Z');
  });
});
