// Shapes: local
import { newApiKey } from '@drawbridge/contracts';
import { type Product } from '@drawbridge/testkit';
import { type Answer, type Api, apiOf } from './support/api.js';
import { expectError } from './support/expect.js';
import { ownProduct } from './support/own-product.js';
import { NO_LIMITS, organizationOn, plansFile } from './support/plans.js';

const PATH = '/api/v1/workspaces';
const TINY_LIMIT = 10;
const PUBLIC_LIMIT = 5;

const plans = plansFile({ tiny: { requestsPerMinute: TINY_LIMIT } });
let product: Product;

beforeAll(async () => {
  product = await ownProduct({ env: { PLANS_FILE: plans.path, PUBLIC_RATE_LIMIT: String(PUBLIC_LIMIT) } });
});

afterAll(async () => {
  await product?.stop();
  plans.remove();
});

const organization = async (plan: string): Promise<Api> => (await organizationOn(plan, { product, plans })).api;

const atOnce = (count: number, ask: () => Promise<Answer>): Promise<Answer[]> =>
  Promise.all(Array.from({ length: count }, ask));

const withStatus = (answers: Answer[], wanted: number): Answer[] => answers.filter(({ status }) => status === wanted);

function expectTooMany(answer: Answer, limit: number): void {
  expectError(answer, 429, 'RATE_LIMITED');
  const { headers } = answer;
  expect(headers.get('x-ratelimit-limit')).toBe(String(limit));
  expect(headers.get('x-ratelimit-remaining')).toBe('0');
  const until = Number(headers.get('x-ratelimit-reset')) - Date.parse(headers.get('date') ?? '') / 1000;
  const retryAfter = Number(headers.get('retry-after'));
  expect(headers.get('retry-after')).toMatch(/^\d+$/);
  expect(retryAfter).toBeGreaterThanOrEqual(1);
  expect(retryAfter).toBeLessThanOrEqual(61);
  expect(Math.abs(retryAfter - until)).toBeLessThanOrEqual(1);
}

describe('an organization', () => {
  it('is served exactly its plan limit of 40 concurrent requests', async () => {
    const api = await organization('tiny');
    const answers = await atOnce(40, () => api.get(PATH));
    const served = withStatus(answers, 200);
    expect(served).toHaveLength(TINY_LIMIT);
    const remaining = served.map(({ headers }) => Number(headers.get('x-ratelimit-remaining')));
    expect(remaining.sort((a, b) => b - a)).toEqual([9, 8, 7, 6, 5, 4, 3, 2, 1, 0]);
    for (const refused of answers.filter((answer) => !served.includes(answer))) expectTooMany(refused, TINY_LIMIT);
  });

  it('shares its window between all its keys, and with no other organization', async () => {
    const [api, neighbour] = [await organization('tiny'), await organization('tiny')];
    const { plainKey } = (await api.post('/api/v1/api-keys', { name: 'Second' })).body;
    const second = apiOf(product.baseUrl, plainKey);
    const answers = [...(await atOnce(8, () => api.get(PATH))), ...(await atOnce(8, () => second.get(PATH)))];
    expect(withStatus(answers, 200)).toHaveLength(TINY_LIMIT - 1);
    expect((await neighbour.get(PATH)).status).toBe(200);
  });

  it('also spends its window on invalid requests', async () => {
    const api = await organization('tiny');
    const answers = await atOnce(TINY_LIMIT, () => api.post(PATH, {}));
    expect(withStatus(answers, 400)).toHaveLength(TINY_LIMIT);
    expectTooMany(await api.get(PATH), TINY_LIMIT);
    expectTooMany(await api.get('/api/v1/nothing'), TINY_LIMIT);
  });

  it('can read health and documents above its limit', async () => {
    const api = await organization('tiny');
    await atOnce(TINY_LIMIT + 1, () => api.get(PATH));
    for (const path of ['/healthz', '/docs', '/api/v1/openapi.json']) {
      const { status, headers } = await api.get(path);
      expect({ path, status }).toEqual({ path, status: 200 });
      expect(headers.get('x-ratelimit-remaining')).toBe('0');
    }
  });

  it('without a plan limit still receives a number', async () => {
    const api = await organization('free');
    const answers = await atOnce(30, () => api.get(PATH));
    expect(withStatus(answers, 200)).toHaveLength(30);
    expect(answers[0]?.headers.get('x-ratelimit-limit')).toMatch(/^\d+$/);
  });

  it('sees its limits, null where there is none', async () => {
    const { body } = await (await organization('tiny')).get('/api/v1/organization');
    expect(body.organization.plan).toBe('tiny');
    expect(body.limits).toEqual({ ...NO_LIMITS, requestsPerMinute: TINY_LIMIT });
  });
});

it('an address without a key is served exactly PUBLIC_RATE_LIMIT requests, whatever key or address it claims', async () => {
  const api = await organization('tiny');
  const claims: Record<string, string>[] = [
    {},
    { authorization: `Bearer svc_${'1'.repeat(46)}` },
    { 'x-forwarded-for': '203.0.113.9' },
  ];
  let asked = 0;
  const answers = await atOnce(12, () => apiOf(product.baseUrl).get(PATH, claims[asked++ % claims.length]));
  expect(withStatus(answers, 401)).toHaveLength(PUBLIC_LIMIT);
  for (const refused of answers.filter(({ status }) => status !== 401)) expectTooMany(refused, PUBLIC_LIMIT);
  expect((await api.get(PATH)).status).toBe(200);
  // OAuth clients receive errors in the format of OAuth.
  const { status, body, headers } = await apiOf(product.baseUrl).post('/oauth/token', {});
  expect([status, body.error, headers.has('retry-after')]).toEqual([429, 'temporarily_unavailable', true]);
});

it('unknown keys of one address are looked up only within its rate limit', async () => {
  const [own, other] = [await organization('free'), await organization('free')];
  expect((await own.get(PATH)).status).toBe(200);
  const strangers = await atOnce(200, () => apiOf(product.baseUrl, newApiKey()).get(PATH));
  for (const refused of strangers.slice(PUBLIC_LIMIT)) expectError(refused, 429, 'RATE_LIMITED');
  // The cached key is accepted. An unknown key must wait for the next window, because guessed keys have exhausted the limit.
  expect((await own.get(PATH)).status).toBe(200);
  expectError(await other.get(PATH), 429, 'RATE_LIMITED');
});
