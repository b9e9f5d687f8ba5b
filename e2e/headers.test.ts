// Shapes: local
import { type Answer, type Api, apiOf } from './support/api.js';
import { drawbridge } from './support/drawbridge.js';
import { UNKNOWN_ID, UUID_V7 } from './support/expect.js';
import { sendRaw } from './support/wire.js';

const PATH = '/api/v1/workspaces';

let api: Api;
let anonymous: Api;

beforeAll(async () => {
  const product = await drawbridge();
  api = product.api;
  anonymous = apiOf(product.baseUrl);
});

/** Each kind of response: its description, its status, and a request that causes it. */
const ANSWERS: [string, number, () => Promise<Answer>][] = [
  ['a list', 200, () => api.get(PATH)],
  ['a created resource', 201, () => api.post(PATH, { name: 'Headers', slug: 'headers' })],
  ['a duplicate', 409, () => api.post(PATH, { name: 'Headers', slug: 'headers' })],
  ['an empty change', 400, () => api.send('PATCH', `${PATH}/${UNKNOWN_ID}`)],
  ['an unknown id', 404, () => api.get(`${PATH}/${UNKNOWN_ID}`)],
  ['a body too large', 413, () => api.post(PATH, { name: 'x'.repeat(1_100_000) })],
  ['malformed JSON', 400, () => api.send('POST', PATH, { text: '{', headers: { 'content-type': 'application/json' } })],
  ['an invalid body', 400, () => api.post(PATH, {})],
  ['a missing key', 401, () => anonymous.get(PATH)],
  ['an unknown path', 404, () => api.get('/api/v1/nothing')],
  ['an unknown path without a key', 404, () => anonymous.get('/nothing')],
  ['a wrong method', 405, () => api.send('PUT', PATH)],
  ['a page', 200, () => anonymous.get('/sign-in')],
  ['a page that requires a session', 303, () => anonymous.get('/account')],
  ['an unknown page', 404, () => anonymous.get('/account/nothing')],
  ['a cross-site form', 403, () => anonymous.send('POST', '/sign-in')],
  ['health', 200, () => anonymous.get('/healthz')],
  ['the OpenAPI document', 200, () => anonymous.get('/api/v1/openapi.json')],
  ['the API page', 200, () => anonymous.get('/docs')],
  ['the base URL in a browser', 200, () => anonymous.get('/', { accept: 'text/html,*/*' })],
];

function expectEveryHeader(headers: Headers): void {
  expect(headers.get('x-request-id')?.trim()).toMatch(UUID_V7);
  for (const name of ['limit', 'remaining', 'reset']) expect(headers.get(`x-ratelimit-${name}`)).toMatch(/^\d+$/);
  expect(headers.get('x-content-type-options')).toBe('nosniff');
}

describe.each(ANSWERS)('%s', (name, status, ask) => {
  it('carries a request id and the three rate limit headers', async () => {
    const { headers, status: answered } = await ask();
    expect(answered).toBe(status);
    expectEveryHeader(headers);
  });

  it('is not cacheable, unless it is public', async () => {
    const { headers } = await ask();
    const isPublic = ['health', 'the OpenAPI document', 'the API page'].includes(name);
    expect(headers.get('cache-control') === 'no-store').toBe(!isPublic);
  });

  it('does not reveal the server software', async () => {
    const { headers } = await ask();
    expect(headers.get('x-powered-by')).toBeNull();
    expect(headers.get('server')).toBeNull();
  });
});

it('announces an idle time that ends before the gateway closes the connection after 65 s', async () => {
  expect((await api.get(PATH)).headers.get('keep-alive')).toBe('timeout=60');
});

const AUTHORIZATIONS = ['a', 'b'].map((key) => `Authorization: Bearer ${key}\r\n`).join('');
const LINES = 'Host: x\r\nConnection: close\r\n';
const CHUNKED = `${LINES}Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n`;
const withKey = (key: string): string => `Authorization: Bearer ${key}\r\n`;

/** Requests that no HTTP client would send: the description, the bytes, and the status of the response. */
const BYTES: [string, (key: string) => string, number][] = [
  ['bytes that are not HTTP', () => 'hello\r\n\r\n', 400],
  ['an unknown HTTP version', () => `GET ${PATH} HTTP/9.9\r\n${LINES}\r\n`, 400],
  ['HTTP/2 without an upgrade', () => 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', 400],
  ['an unknown method', () => `FETCH ${PATH} HTTP/1.1\r\n${LINES}\r\n`, 400],
  ['an unsupported method', () => `PROPFIND ${PATH} HTTP/1.1\r\n${LINES}\r\n`, 405],
  ['headers above 16 KiB', () => `GET ${PATH} HTTP/1.1\r\n${LINES}A: ${'x'.repeat(20_000)}\r\n\r\n`, 431],
  ['two lengths', () => `POST ${PATH} HTTP/1.1\r\n${LINES}Content-Length: 1\r\nContent-Length: 2\r\n\r\nx`, 400],
  ['a broken chunk', (key) => `POST ${PATH} HTTP/1.1\r\n${withKey(key)}${CHUNKED}\r\nzz\r\n`, 400],
  ['two Hosts', () => `GET ${PATH} HTTP/1.1\r\n${LINES}Host: y\r\n\r\n`, 400],
  ['two keys', () => `GET ${PATH} HTTP/1.1\r\n${LINES}${AUTHORIZATIONS}\r\n`, 400],
  ['no Host', () => `GET ${PATH} HTTP/1.1\r\nConnection: close\r\n\r\n`, 400],
  ['an unknown Expect', () => `GET ${PATH} HTTP/1.1\r\n${LINES}Expect: a-miracle\r\n\r\n`, 417],
  ['HTTP/1.0 without a key', () => `GET ${PATH} HTTP/1.0\r\n\r\n`, 401],
  ['HTTP/1.0', (key) => `GET ${PATH} HTTP/1.0\r\n${withKey(key)}\r\n`, 200],
  ['a tunnel', () => 'CONNECT example.com:443 HTTP/1.1\r\nHost: example.com\r\n\r\n', 405],
  ['an upgrade', () => `GET ${PATH} HTTP/1.1\r\nHost: x\r\nConnection: Upgrade, close\r\nUpgrade: h2c\r\n\r\n`, 401],
  ['a request that never ends', () => `GET ${PATH} HTTP/1.1\r\nHost: x\r\n`, 408],
  ['a body that never ends', (key) => `POST ${PATH} HTTP/1.1\r\n${withKey(key)}${CHUNKED}\r\n1\r\n{\r\n`, 408],
];

describe.each(BYTES)('%s', (_name, bytes, status) => {
  it('is answered in the error format with every header', async () => {
    const { baseUrl, key } = await drawbridge();
    const { status: answered, headers, body } = await sendRaw(baseUrl, bytes(key));
    expect({ answered, body }).toMatchObject({ answered: status });
    if (status >= 400)
      expect(body).toEqual({ error: expect.any(String), code: expect.any(String), details: expect.any(Object) });
    expect(headers.get('content-type')).toMatch(/^application\/json/);
    expectEveryHeader(headers);
    expect(headers.get('cache-control')).toBe('no-store');
  });
});

describe('X-Request-Id', () => {
  const echoed = async (id: string): Promise<string | null> =>
    (await api.get(PATH, { 'x-request-id': id })).headers.get('x-request-id');

  it.each(['a', 'req-1', 'a.b:c_D-9', 'x'.repeat(128)])('is echoed when it is valid: %s', async (id) => {
    expect(await echoed(id)).toBe(id);
  });

  it.each(['', 'a b', 'x'.repeat(129), '<script>', 'a"b', 'a,b', '\u00e9'])(
    'is replaced when it is invalid: %j',
    async (id) => {
      expect(await echoed(id)).toMatch(UUID_V7);
    },
  );

  it('differs from one request to the next', async () => {
    const ids = await Promise.all([api.get(PATH), api.get(PATH)]);
    expect(ids[0]?.headers.get('x-request-id')).not.toBe(ids[1]?.headers.get('x-request-id'));
  });
});

describe('the rate limit window', () => {
  it('decrements by one for each request and returns its end in Unix seconds', async () => {
    const [first, second] = [await api.get(PATH), await api.get(PATH)];
    expect(first.headers.get('x-ratelimit-limit')).toBe('60000');
    expect(remaining(first) - remaining(second)).toBe(1);
    const seconds = Number(second.headers.get('x-ratelimit-reset')) - Date.parse(second.headers.get('date')!) / 1000;
    expect(seconds).toBeGreaterThanOrEqual(0);
    expect(seconds).toBeLessThanOrEqual(62);
  });

  it('ignores requests for public documents', async () => {
    const before = await api.get(PATH);
    for (const path of ['/healthz', '/readyz', '/docs', '/api/v1/openapi.json']) await api.get(path);
    expect(remaining(before) - remaining(await api.get(PATH))).toBe(1);
  });
});

const remaining = ({ headers }: Answer): number => Number(headers.get('x-ratelimit-remaining'));
