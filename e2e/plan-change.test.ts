// Shapes: none; in full: processes
import { type Product } from '@drawbridge/testkit';
import { type Answer, type Api } from './support/api.js';
import { eventually } from './support/eventually.js';
import { expectWithinASecond } from './support/expect-within.js';
import { expectError } from './support/expect.js';
import { operatorOf } from './support/operator.js';
import { fresh } from './support/owned-resources.js';
import { ownProduct } from './support/own-product.js';
import { organizationOn, type PlansFile, plansFile } from './support/plans.js';

const KINDS = ['workspaces', 'connections'] as const;
type Kind = (typeof KINDS)[number];
const [SMALL, LARGE] = [3, 8];

let plans: PlansFile;
let product: Product;

beforeAll(async () => {
  plans = plansFile({
    small: { workspaces: SMALL, connections: SMALL },
    large: { workspaces: LARGE, connections: LARGE },
  });
  product = await ownProduct({ env: { PLANS_FILE: plans.path }, replicas: { gateway: 2 } });
});
afterAll(async () => {
  await product?.stop();
  plans.remove();
});

const setPlan = (orgId: string, plan: string): Promise<unknown> =>
  operatorOf(product.databaseUrl, plans.path).setPlan({ orgId, plan });

const open = (plan: string) => organizationOn(plan, { product, plans });

function create(api: Api, kind: Kind): Promise<Answer> {
  if (kind === 'workspaces') return api.post('/api/v1/workspaces', { name: 'One', slug: fresh() });
  const names = { integrationName: 'github', externalId: fresh(), displayName: 'One' };
  return api.post('/api/v1/connections', { ...names, type: 'SECRET_TEXT', secretText: 'ghp_0123456789' });
}

interface Listed {
  id: string;
  suspendedAt: string | null;
  suspensionReason: string | null;
}

/** Returns all resources of a kind, newest first. */
const all = async (api: Api, kind: Kind): Promise<Listed[]> =>
  (await api.get(`/api/v1/${kind}?limit=100&includeSuspended=true`)).body[kind];
const inUse = async (api: Api, kind: Kind): Promise<number> => (await api.get(`/api/v1/${kind}`)).body.total;
const reasons = async (api: Api, kind: Kind) => (await all(api, kind)).map((one) => one.suspensionReason);

async function fill(api: Api, kind: Kind, count: number): Promise<string[]> {
  for (let n = 0; n < count; n++) expect((await create(api, kind)).status).toBe(201);
  return (await all(api, kind)).map(({ id }) => id);
}

describe.each(KINDS)('a smaller plan, for %s', (kind) => {
  it('suspends the newest above its limit with a reason, and a larger plan resumes only those', async () => {
    const { api, organization } = await open('large');
    const ids = await fill(api, kind, LARGE);
    expect((await api.post(`/api/v1/${kind}/${ids[1]}/suspend`)).status).toBe(200);
    expect(await setPlan(organization.id, 'small')).toEqual({
      organization: expect.objectContaining({ id: organization.id, plan: 'small' }),
    });
    const over = ['plan', 'request', ...Array(LARGE - SMALL - 2).fill('plan')];
    await eventually(async () => expect(await reasons(api, kind)).toEqual([...over, null, null, null]));
    expect(await inUse(api, kind)).toBe(SMALL);
    expect((await all(api, kind)).every((one) => (one.suspendedAt === null) === (one.suspensionReason === null))).toBe(
      true,
    );

    await setPlan(organization.id, 'large');
    await eventually(async () => expect(await inUse(api, kind)).toBe(LARGE - 1));
    expect((await all(api, kind)).filter((one) => one.suspensionReason).map(({ id }) => id)).toEqual([ids[1]]);
  });

  it('refuses to resume and to create above its limit until there is room', async () => {
    const { api, organization } = await open('large');
    const ids = await fill(api, kind, SMALL + 2);
    await setPlan(organization.id, 'small');
    await eventually(async () => expect(await inUse(api, kind)).toBe(SMALL));
    for (const refused of [await api.post(`/api/v1/${kind}/${ids[0]}/resume`), await create(api, kind)])
      expectError(refused, 403, 'QUOTA_EXCEEDED');
    await api.post(`/api/v1/${kind}/${ids.at(-1)}/suspend`);
    const { status, body } = await api.post(`/api/v1/${kind}/${ids[0]}/resume`);
    expect([status, body[kind.slice(0, -1)]]).toEqual([
      200,
      expect.objectContaining({ suspendedAt: null, suspensionReason: null }),
    ]);
  });

  it('keeps those suspended, on a later larger plan, that were also suspended on request', async () => {
    const { api, organization } = await open('large');
    const [newest] = await fill(api, kind, SMALL + 1);
    await setPlan(organization.id, 'small');
    await eventually(async () => expect((await reasons(api, kind))[0]).toBe('plan'));
    await api.post(`/api/v1/${kind}/${newest}/suspend`);
    await setPlan(organization.id, 'large');
    await eventually(async () => expect((await create(api, kind)).status).toBe(201));
    expect(await inUse(api, kind)).toBe(SMALL + 1);
    expect((await reasons(api, kind))[1]).toBe('request');
  });

  it('never leaves more active than its limit during concurrent changes', async () => {
    const { api, apis, organization } = await open('large');
    const ids = await fill(api, kind, LARGE - 2);
    const answers: Answer[] = [];
    const work = async (n: number): Promise<void> => {
      const by = apis[n % apis.length]!;
      for (let turn = 0; turn < 6; turn++) {
        const id = ids[(n + turn) % ids.length];
        answers.push(await create(by, kind));
        answers.push(await by.post(`/api/v1/${kind}/${id}/suspend`));
        answers.push(await by.post(`/api/v1/${kind}/${id}/resume`));
      }
    };
    await Promise.all([...Array.from({ length: 10 }, (_, n) => work(n)), setPlan(organization.id, 'small')]);
    expect(answers.filter(({ status }) => ![200, 201, 403].includes(status))).toEqual([]);
    await eventually(async () => expect(await inUse(api, kind)).toBeLessThanOrEqual(SMALL));
    await Promise.all(Array.from({ length: 10 }, (_, n) => work(n)));
    expect(answers.filter(({ status }) => ![200, 201, 403].includes(status))).toEqual([]);
    expect(await inUse(api, kind)).toBeLessThanOrEqual(SMALL);
    expect((await all(api, kind)).length).toBeLessThanOrEqual(LARGE);
  });
});

describe.each(KINDS)('at the limit of a plan, with %s', (kind) => {
  it('concurrent changes never leave more active than the limit', async () => {
    const { api, apis } = await open('small');
    const ids = await fill(api, kind, SMALL - 1);
    const looks: number[] = [];
    const work = async (n: number): Promise<Answer[]> => {
      const by = apis[n % apis.length]!;
      const id = ids[n % ids.length];
      const answers: Answer[] = [];
      for (let turn = 0; turn < 5; turn++) {
        answers.push(await by.post(`/api/v1/${kind}/${id}/suspend`));
        answers.push(await create(by, kind));
        answers.push(await by.post(`/api/v1/${kind}/${id}/resume`));
        looks.push(await inUse(by, kind));
      }
      return answers;
    };
    const answers = (await Promise.all(Array.from({ length: 12 }, (_, n) => work(n)))).flat();
    expect(answers.filter(({ status }) => ![200, 201, 403].includes(status))).toEqual([]);
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
    expect(Math.max(...looks)).toBeLessThanOrEqual(SMALL);
    expect((await all(api, kind)).length).toBe(SMALL);
  });
});

describe('a resource that a plan suspended', () => {
  it('is refused with that reason at every gateway within a second', async () => {
    const { api, apis, organization } = await open('large');
    const ids = await fill(api, 'workspaces', SMALL + 1);
    const list = (by: Api) => by.get(`/api/v1/workspaces/${ids[0]}/integrations`);
    for (const by of apis) expect((await list(by)).status).toBe(200);
    await setPlan(organization.id, 'small');
    await eventually(async () => expect(await inUse(api, 'workspaces')).toBe(SMALL));
    for (const by of apis)
      await expectWithinASecond(async () => {
        const refused = await list(by);
        expectError(refused, 403, 'FORBIDDEN');
        expect(refused.body.details).toEqual({ reason: 'suspended' });
        expect(refused.body.error).toContain('the plan allows no more');
      });
  });
});

describe('the command org set-plan', () => {
  it("is recorded in the organization's audit log", async () => {
    const { api, organization } = await open('large');
    await setPlan(organization.id, 'small');
    const entry = {
      action: 'organization.set_plan',
      reason: 'from large to small',
      actor: expect.objectContaining({ type: 'operator' }),
    };
    await eventually(async () => {
      const { entries } = (await api.get('/api/v1/audit-log?action=organization.set_plan')).body;
      expect(entries).toEqual([expect.objectContaining(entry)]);
    });
  });

  it.each([
    ['an unknown plan', (id: string) => setPlan(id, 'gold'), 'must be one of'],
    ['an unknown organization', () => setPlan('01926b3c-5a2e-7c41-9d0f-2b6a4f1e8c37', 'small'), 'NOT_FOUND'],
  ])('refuses %s and changes nothing', async (_what, ask, why) => {
    const { api, organization } = await open('large');
    await expect(ask(organization.id)).rejects.toThrow(why);
    expect((await api.get('/api/v1/organization')).body.organization.plan).toBe('large');
  });
});
