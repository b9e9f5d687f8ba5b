// Shapes: none; in full: processes
import { fakeProvider, type FakeProvider, type Product } from '@drawbridge/testkit';
import { type Answer, type Api } from './support/api.js';
import { newPolicy, waiting } from './support/approvals.js';
import { rowsOf } from './support/database.js';
import { fresh } from './support/owned-resources.js';
import { eventually } from './support/eventually.js';
import { expectError } from './support/expect.js';
import { MCP_SERVERS, newServer } from './support/mcp-servers.js';
import { operatorOf } from './support/operator.js';
import { ownProduct } from './support/own-product.js';
import { organizationOn, type PlansFile, plansFile } from './support/plans.js';

/** A small quota is counted per action. A large quota is leased in blocks until it is nearly exhausted. */
const [FEW, MANY] = [20, 300];
const TOO_MANY = 50;

let plans: PlansFile;
let provider: FakeProvider;
let product: Product;

beforeAll(async () => {
  plans = plansFile({
    few: { actionsPerMonth: FEW },
    many: { actionsPerMonth: MANY },
    runs: { sandboxRunsPerMonth: FEW },
  });
  provider = await fakeProvider();
  const env = {
    PLANS_FILE: plans.path,
    ORIGIN_MAP: JSON.stringify({ 'https://api.example.com': provider.url }),
    EGRESS_ALLOW: '127.0.0.1',
  };
  product = await ownProduct({ env, replicas: { gateway: 2, execution: 2 } });
});
afterAll(async () => {
  await product?.stop();
  await provider?.stop();
  plans.remove();
});
beforeEach(() => provider.reset());

interface Place {
  orgId: string;
  api: Api;
  apis: Api[];
  call: { workspaceId: string };
  send(by: Api, more?: object): Promise<Answer>;
}

async function placeOn(plan: string): Promise<Place> {
  const { api, apis, organization } = await organizationOn(plan, { product, plans });
  const { id: workspaceId } = (await api.post('/api/v1/workspaces', { name: 'One', slug: fresh() })).body.workspace;
  const input = { url: 'https://api.example.com/anything', method: 'GET' };
  const call = { integrationName: 'http', actionName: 'send_request', workspaceId, input };
  return {
    orgId: organization.id,
    api,
    apis,
    call,
    send: (by, more = {}) => by.post('/api/v1/actions/execute', { ...call, ...more }),
  };
}

const atOnce = ({ apis, send }: Place, count: number, more: () => object = () => ({})): Promise<Answer[]> =>
  Promise.all(Array.from({ length: count }, (_, n) => send(apis[n % apis.length]!, more())));

function expectRefused(answer: Answer, limit: number): void {
  expectError(answer, 403, 'QUOTA_EXCEEDED');
  expect(answer.body.details).toEqual({ limit, used: limit });
}

const served = (answers: Answer[]): Answer[] => answers.filter(({ status }) => status === 200);

const usageOf = async ({ api }: Place): Promise<number> =>
  (await api.get('/api/v1/organization')).body.usage.actionsThisMonth;

describe('the actions of a month', () => {
  it.each([
    ['without a key', () => ({})],
    ['with a key each', () => ({ idempotencyKey: fresh() })],
  ])(`are limited exactly for ${TOO_MANY} concurrent requests too many, %s`, async (_how, more) => {
    const place = await placeOn('few');
    const answers = await atOnce(place, FEW + TOO_MANY, more);
    expect(served(answers)).toHaveLength(FEW);
    for (const refused of answers.filter(({ status }) => status !== 200)) expectRefused(refused, FEW);
    expect(provider.requests).toHaveLength(FEW);
    await eventually(async () => expect(await usageOf(place)).toBe(FEW));
    expectRefused(await place.send(place.api), FEW);
  });

  it('are all available on a plan that leases them in blocks', async () => {
    const place = await placeOn('many');
    let done = 0;
    for (let asked = 0; asked < MANY; asked += 50) done += served(await atOnce(place, 50)).length;
    // A process leases quota in blocks. One process can reject calls until the other process returns the unused part of its block.
    await eventually(async () => {
      done += served(await atOnce(place, 10)).length;
      expect(done).toBe(MANY);
    });
    await eventually(async () => expect(await usageOf(place)).toBe(MANY));
    for (const refused of await atOnce(place, 10)) expectRefused(refused, MANY);
    expect(provider.requests).toHaveLength(MANY);
  });

  it('respect a smaller plan a second after the change, whatever was leased under the larger one', async () => {
    const place = await placeOn('many');
    const before = served(await atOnce(place, FEW / 2)).length;
    expect(before).toBe(FEW / 2);
    await operatorOf(product.databaseUrl, plans.path).setPlan({ orgId: place.orgId, plan: 'few' });
    const knownFrom = performance.now() + 1_000;
    while (performance.now() < knownFrom) await place.api.get('/api/v1/organization');
    let done = before + served(await atOnce(place, TOO_MANY)).length;
    expect(done).toBeLessThanOrEqual(FEW);
    await eventually(async () => {
      done += served(await atOnce(place, 4)).length;
      expect(done).toBe(FEW);
    });
    for (const refused of await atOnce(place, 10)) expectRefused(refused, FEW);
    expect(provider.requests).toHaveLength(FEW);
  });

  it('do not include replays of an idempotency key, which are answered even at the limit', async () => {
    const place = await placeOn('few');
    const same = { idempotencyKey: fresh() };
    const answers = await atOnce(place, FEW, () => same);
    expect(served(answers)).toHaveLength(FEW);
    expect(served(await atOnce(place, FEW - 1))).toHaveLength(FEW - 1);
    expectRefused(await place.send(place.api), FEW);
    const replayed = await place.send(place.api, same);
    expect({ status: replayed.status, was: replayed.headers.get('idempotent-replayed') }).toEqual({
      status: 200,
      was: 'true',
    });
    expect(provider.requests).toHaveLength(FEW);
  });

  it('do not include calls that their approval does not allow', async () => {
    const place = await placeOn('few');
    const { workspaceId } = place.call;
    const policy = await newPolicy(place.api, { workspaceId, endUserMode: 'end_user_present' });
    expect((await place.send(place.api)).status).toBe(200);
    const [{ id: ran }] = (await place.api.get('/api/v1/executions?limit=1')).body.executions;
    const asked = { endUserId: 'ann', idempotencyKey: fresh() };
    const { id } = await waiting(place.api, { ...place.call, ...asked });
    const used = `UPDATE approvals.approval_requests SET status = 'consumed', consumed_at = now(), execution_id = $2 WHERE id = $1`;
    await rowsOf(product.databaseUrl, used, [id.slice(4), ran]);
    for (let n = 0; n < 2 * FEW; n++) expectError(await place.send(place.apis[n % 2]!, asked), 403, 'FORBIDDEN');
    await place.api.delete(`/api/v1/approval-policies/${policy.id}`);
    await eventually(async () => {
      await atOnce(place, 4);
      expect(provider.requests).toHaveLength(FEW);
    });
    await eventually(async () => expect(await usageOf(place)).toBe(FEW));
  });

  it('leave the idempotency key of a refused call unused', async () => {
    const place = await placeOn('few');
    expect(served(await atOnce(place, FEW))).toHaveLength(FEW);
    const key = { idempotencyKey: fresh() };
    expectRefused(await place.send(place.api, key), FEW);
    expectRefused(
      await place.send(place.api, { ...key, input: { url: 'https://api.example.com/other', method: 'GET' } }),
      FEW,
    );
  });
});

describe('the sandbox runs of a month', () => {
  const code = (text: string) => ({ integrationName: 'code', actionName: 'run', input: { code: text } });
  const usageOfRuns = async ({ api }: Place): Promise<object> => {
    const { actionsThisMonth, sandboxRunsThisMonth } = (await api.get('/api/v1/organization')).body.usage;
    return { actionsThisMonth, sandboxRunsThisMonth };
  };

  it('are limited exactly in two processes, and count as actions too', async () => {
    const place = await placeOn('runs');
    const answers = await atOnce(place, FEW + TOO_MANY, () => code('return 1'));
    expect(served(answers)).toHaveLength(FEW);
    for (const refused of answers.filter(({ status }) => status !== 200)) expectRefused(refused, FEW);
    await eventually(async () =>
      expect(await usageOfRuns(place)).toEqual({ actionsThisMonth: FEW, sandboxRunsThisMonth: FEW }),
    );
    expect((await place.send(place.api)).status).toBe(200);
  });

  it('include runs that were ended by a limit', async () => {
    const place = await placeOn('runs');
    const bomb = code('for (const all = []; ;) all.push("x".repeat(1e6) + all.length)');
    const killed = await Promise.all([1, 2].map(() => place.send(place.api, bomb)));
    for (const { body } of killed) expect(body.details.provider.code).toBe('MEMORY_LIMIT');
    await eventually(async () => expect(await usageOfRuns(place)).toMatchObject({ sandboxRunsThisMonth: 2 }));
    expect(served(await atOnce(place, FEW, () => code('return 1')))).toHaveLength(FEW - 2);
  });

  it('include programs of Code Mode', async () => {
    const place = await placeOn('runs');
    expect(served(await atOnce(place, FEW, () => code('return 1')))).toHaveLength(FEW);
    const { server } = await newServer(place.api, place.call.workspaceId, { mode: 'CODE' });
    expectRefused(await place.api.post(`${MCP_SERVERS}/${server.id}/execute-code`, { code: 'return 1' }), FEW);
  });
});
