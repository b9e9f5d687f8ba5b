// Shapes: none; in full: processes
import { setTimeout as sleep } from 'node:timers/promises';
import { hasRedis, type Product, type RedisServer, startRedis } from '@drawbridge/testkit';
import { type Answer, type Api, apiOf } from './support/api.js';
import { eventually } from './support/eventually.js';
import { ownProduct } from './support/own-product.js';
import { organizationOn, type PlansFile, plansFile } from './support/plans.js';

const PATH = '/api/v1/workspaces';
const [LIMIT, PUBLIC_LIMIT] = [200, 100];
const WARNING = 'each gateway counts rate limits separately';

let plans: PlansFile;
let redis: RedisServer;
let product: Product;

const isWanted = hasRedis() || (process.env['REQUIRE'] ?? '').split(',').includes('redis');
const title = 'several gateways that share one Redis';
if (isWanted) describe(title, onRedis);
else describe.skip(`${title} (to run it: apt-get install redis-server)`, onRedis);

function onRedis(): void {
  beforeAll(async () => {
    plans = plansFile({ tiny: { requestsPerMinute: LIMIT } });
    redis = await startRedis();
    const env = { PLANS_FILE: plans.path, REDIS_URL: redis.url, PUBLIC_RATE_LIMIT: String(PUBLIC_LIMIT) };
    product = await ownProduct({ env, replicas: { gateway: 2 } });
  });
  afterAll(async () => {
    await product?.stop();
    await redis?.stop();
    plans.remove();
  });

  it('share one window of an organization, exact within 1 %', () =>
    whileShared(async () => {
      const { apis } = await organizationOn('tiny', { product, plans });
      const from = Date.now() / 1_000;
      const answers = await inTurns(apis, 2 * LIMIT);
      const until = Date.now() / 1_000;
      expectWithinOnePercent(answers, LIMIT);
      expect(new Set(answers.map(({ headers }) => headers.get('x-ratelimit-limit')))).toEqual(new Set([String(LIMIT)]));
      for (const { headers } of answers) {
        const reset = Number(headers.get('x-ratelimit-reset'));
        expect(reset).toBeGreaterThanOrEqual(Math.floor(from) + 60);
        expect(reset).toBeLessThanOrEqual(Math.ceil(until) + 60);
      }
      for (const { headers } of answers.filter(({ status }) => status === 429)) {
        expect(headers.get('x-ratelimit-remaining')).toBe('0');
        expect(Number(headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
      }
    }));

  it('share one window of an address without a key', () =>
    whileShared(async () => {
      const strangers = product.baseUrls.map((url) => apiOf(url));
      expectWithinOnePercent(await inTurns(strangers, 2 * PUBLIC_LIMIT), PUBLIC_LIMIT);
    }));

  it('show the window without counting', () =>
    whileShared(async () => {
      const { apis } = await organizationOn('tiny', { product, plans });
      await inTurns(apis, 10);
      const [first, second] = await Promise.all(apis.map((api) => api.get('/api/v1/openapi.json')));
      expect(remaining(first!)).toBe(LIMIT - 10);
      expect(remaining(second!)).toBe(LIMIT - 10);
    }));

  it.each<[string, () => unknown, () => unknown]>([
    ['hangs', () => process.kill(redis.pid(), 'SIGSTOP'), () => process.kill(redis.pid(), 'SIGCONT')],
    ['is down', () => redis.kill(), () => redis.restart()],
  ])('count separately while Redis %s, warn once each, and share again afterwards', async (_how, breakIt, mendIt) => {
    const { apis } = await organizationOn('tiny', { product, plans });
    await inTurns(apis, 2);
    const warned = warnings();
    await breakIt();
    const answers = await inTurns(apis, 40);
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    // Each gateway has counted the requests that it served itself: 1 before Redis failed and 20 after that.
    const least = apis.map((_, own) => Math.min(...answers.filter((__, n) => n % 2 === own).map(remaining)));
    expect(least).toEqual([LIMIT - 21, LIMIT - 21]);
    await eventually(async () => expect(warnings() - warned).toBe(apis.length));
    await sleep(1_500); // A gateway looks for Redis several times in this time.
    expect(warnings() - warned).toBe(apis.length);

    await mendIt();
    await eventually(async () => {
      const [first, second] = [await apis[0]!.get(PATH), await apis[1]!.get(PATH)];
      expect(remaining(first) - remaining(second)).toBe(1);
    });
  });
}

const WINDOW_MS = 60_000;

/** Repeats a check in another window if a gateway counted separately during it, because Redis did not answer within 100 ms on a busy machine. */
async function whileShared(check: () => Promise<void>): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    const warned = warnings();
    try {
      return await check();
    } catch (error) {
      await sleep(1_000); // log lines are written later
      if (warnings() === warned || attempt === 3) throw error;
      await sleep(WINDOW_MS);
    }
  }
}

/** Sends requests through the gateways in rotation, all at the same time. */
const inTurns = (apis: Api[], count: number): Promise<Answer[]> =>
  Promise.all(Array.from({ length: count }, (_, n) => apis[n % apis.length]!.get(PATH)));

function expectWithinOnePercent(answers: Answer[], limit: number): void {
  const allowed = answers.filter(({ status }) => status !== 429).length;
  expect(Math.abs(allowed - limit)).toBeLessThanOrEqual(limit / 100);
}

const remaining = ({ headers }: Answer): number => Number(headers.get('x-ratelimit-remaining'));

const warnings = (): number => product.logs().split(WARNING).length - 1;
