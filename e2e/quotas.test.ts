// Shapes: local; in full: processes
import { type Product } from '@drawbridge/testkit';
import { type Answer, type Api } from './support/api.js';
import { fresh } from './support/owned-resources.js';
import { expectError } from './support/expect.js';
import { ownProduct } from './support/own-product.js';
import { organizationOn, type PlansFile, plansFile } from './support/plans.js';

const [WORKSPACES, CONNECTIONS] = [7, 12];
const TOO_MANY = 50;

let plans: PlansFile;
let product: Product;

beforeAll(async () => {
  plans = plansFile({ tiny: { workspaces: WORKSPACES, connections: CONNECTIONS } });
  const PLANS_FILE = plans.path;
  product = await ownProduct({ env: { PLANS_FILE }, replicas: { gateway: 2 } });
});
afterAll(async () => {
  await product?.stop();
  plans.remove();
});

const workspace = (): object => ({ name: 'One', slug: fresh() });
const connection = (more: object = {}): object => {
  const names = { integrationName: 'github', externalId: fresh(), displayName: 'One' };
  return { ...names, type: 'SECRET_TEXT', secretText: 'ghp_0123456789', ...more };
};

/** Sends requests through the gateways in rotation. */
const atOnce = (apis: Api[], count: number, ask: (api: Api) => Promise<Answer>): Promise<Answer[]> =>
  Promise.all(Array.from({ length: count }, (_, n) => ask(apis[n % apis.length]!)));

function expectExactly(answers: Answer[], limit: number): void {
  expect(answers.filter(({ status }) => status === 201)).toHaveLength(limit);
  for (const refused of answers.filter(({ status }) => status !== 201)) {
    expectError(refused, 403, 'QUOTA_EXCEEDED');
    expect(refused.body.details).toEqual({ limit, used: limit });
  }
}

describe('the quota of workspaces', () => {
  it(`is exact for ${TOO_MANY} concurrent requests too many`, async () => {
    const { api, apis } = await organizationOn('tiny', { product, plans });
    const answers = await atOnce(apis, WORKSPACES + TOO_MANY, (by) => by.post('/api/v1/workspaces', workspace()));
    expectExactly(answers, WORKSPACES);
    expect((await api.get('/api/v1/workspaces')).body.total).toBe(WORKSPACES);
  });

  it('is freed by each deletion', async () => {
    const { api, apis } = await organizationOn('tiny', { product, plans });
    const first = await atOnce(apis, WORKSPACES, (by) => by.post('/api/v1/workspaces', workspace()));
    expectError(await api.post('/api/v1/workspaces', workspace()), 403, 'QUOTA_EXCEEDED');
    await api.delete(`/api/v1/workspaces/${first[0]!.body.workspace.id}`);
    const again = await atOnce(apis, 5, (by) => by.post('/api/v1/workspaces', workspace()));
    expect(again.filter(({ status }) => status === 201)).toHaveLength(1);
  });

  it('is not used by requests that fail for another reason', async () => {
    const { api } = await organizationOn('tiny', { product, plans });
    const same = { name: 'Same', slug: 'same' };
    const answers = await atOnce([api], 20, (by) => by.post('/api/v1/workspaces', same));
    expect(answers.filter(({ status }) => status === 409)).toHaveLength(19);
    for (let n = 1; n < WORKSPACES; n++) expect((await api.post('/api/v1/workspaces', workspace())).status).toBe(201);
  });

  it('does not apply to a plan without a limit', async () => {
    const { apis } = await organizationOn('free', { product, plans });
    const answers = await atOnce(apis, WORKSPACES + 1, (by) => by.post('/api/v1/workspaces', workspace()));
    expect(answers.map(({ status }) => status)).toEqual(Array(WORKSPACES + 1).fill(201));
  });
});

describe('the quota of connections', () => {
  it(`is exact for ${TOO_MANY} concurrent requests too many, in a workspace and outside`, async () => {
    const { api, apis } = await organizationOn('tiny', { product, plans });
    const { id: workspaceId } = (await api.post('/api/v1/workspaces', workspace())).body.workspace;
    const scopes = [{}, { scope: 'WORKSPACE', workspaceId }, { scope: 'USER', workspaceId, endUserId: 'ann' }];
    let made = 0;
    const answers = await atOnce(apis, CONNECTIONS + TOO_MANY, (by) =>
      by.post('/api/v1/connections', connection(scopes[made++ % scopes.length])),
    );
    expectExactly(answers, CONNECTIONS);
    expect((await api.get('/api/v1/connections')).body.total).toBe(CONNECTIONS);
  });

  it('is freed by each deletion', async () => {
    const { api, apis } = await organizationOn('tiny', { product, plans });
    const first = await atOnce(apis, CONNECTIONS, (by) => by.post('/api/v1/connections', connection()));
    expectError(await api.post('/api/v1/connections', connection()), 403, 'QUOTA_EXCEEDED');
    await api.delete(`/api/v1/connections/${first[0]!.body.connection.id}`);
    const again = await atOnce(apis, 5, (by) => by.post('/api/v1/connections', connection()));
    expect(again.filter(({ status }) => status === 201)).toHaveLength(1);
  });
});
