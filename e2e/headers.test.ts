// Shapes: local, processes
import { type Answer, type Api, apiOf } from './support/api.js';
import { drawbridge } from './support/drawbridge.js';
import { UUID_V7 } from './support/expect.js';

const PATH = '/api/v1/workspaces';

let api: Api;
let nobody: Api;

beforeAll(async () => {
  const product = await drawbridge();
  api = product.api;
  nobody = apiOf(product.baseUrl);
});

/** Every kind of answer: what it is, its status, how to get it. */
const ANSWERS: [string, number, () => Promise<Answer>][] = [
  ['a list', 200, () => api.get(PATH)],
  ['malformed JSON', 400, () => api.send('POST', PATH, { text: '{', headers: { 'content-type': 'application/json' } })],
  ['an invalid body', 400, () => api.post(PATH, {})],
  ['a missing key', 401, () => nobody.get(PATH)],
  ['an unknown path', 404, () => api.get('/api/v1/nothing')],
  ['an unknown path without a key', 404, () => nobody.get('/nothing')],
  ['a wrong method', 405, () => api.send('PUT', PATH)],
  ['health', 200, () => nobody.get('/healthz')],
  ['the OpenAPI document', 200, () => nobody.get('/api/v1/openapi.json')],
  ['the API page', 200, () => nobody.get('/docs')],
];

describe.each(ANSWERS)('%s', (_name, status, ask) => {
  it('carries a request id and the three rate limit headers', async () => {
    const { headers, status: answered } = await ask();
    expect(answered).toBe(status);
    expect(headers.get('x-request-id')).toMatch(UUID_V7);
    for (const name of ['limit', 'remaining', 'reset']) expect(headers.get(`x-ratelimit-${name}`)).toMatch(/^\d+$/);
  });

  it('says nothing about what it is made with', async () => {
    const { headers } = await ask();
    expect(headers.get('x-powered-by')).toBeNull();
    expect(headers.get('server')).toBeNull();
  });
});

describe('X-Request-Id', () => {
  const echoed = async (id: string): Promise<string | null> =>
    (await api.get(PATH, { 'x-request-id': id })).headers.get('x-request-id');

  it.each(['a', 'req-1', 'a.b:c_D-9', 'x'.repeat(128)])('is kept when it is sane: %s', async (id) => {
    expect(await echoed(id)).toBe(id);
  });

  it.each(['', 'a b', 'x'.repeat(129), '<script>', 'a"b', 'a,b', '\u00e9'])(
    'is made anew when it is not: %j',
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
  it('counts down by one a request and says when it ends, in Unix seconds', async () => {
    const [first, second] = [await api.get(PATH), await api.get(PATH)];
    expect(first.headers.get('x-ratelimit-limit')).toBe('60000');
    expect(remaining(first) - remaining(second)).toBe(1);
    const seconds = Number(second.headers.get('x-ratelimit-reset')) - Date.parse(second.headers.get('date')!) / 1000;
    expect(seconds).toBeGreaterThanOrEqual(0);
    expect(seconds).toBeLessThanOrEqual(62);
  });

  it('is not touched by the public documents', async () => {
    const before = await api.get(PATH);
    for (const path of ['/healthz', '/readyz', '/docs', '/api/v1/openapi.json']) await api.get(path);
    expect(remaining(before) - remaining(await api.get(PATH))).toBe(1);
  });
});

const remaining = ({ headers }: Answer): number => Number(headers.get('x-ratelimit-remaining'));
