// Shapes: local
import { type Api, apiOf } from './support/api.js';
import { createPolicy, newPolicy, POLICIES } from './support/approvals.js';
import { type Drawbridge, drawbridge } from './support/drawbridge.js';
import { eventually } from './support/eventually.js';
import { expectError, expectInvalid, UNKNOWN_ID } from './support/expect.js';
import { type Operations, testsOf } from './support/operation-cases.js';
import { fresh } from './support/owned-resources.js';
import { newWorkspace } from './support/workspace-integrations.js';

const { beforeAll, describe, it } = testsOf(import.meta);

const ONE = { 'path.id': 'approvalPolicyId' } as const;

export const OPERATIONS: Operations = {
  ListApprovalPolicies: { call: ({ workspaceId }) => ({ query: { workspaceId } }) },
  CreateApprovalPolicy: { call: ({ workspaceId }) => ({ body: { name: fresh(), workspaceId } }) },
  GetApprovalPolicy: { call: ({ approvalPolicyId: id }) => ({ path: { id } }), ids: ONE },
  UpdateApprovalPolicy: {
    call: ({ approvalPolicyId: id, workspaceId }) => ({ path: { id }, body: { description: fresh(), workspaceId } }),
    ids: { ...ONE, 'body.workspaceId': 'workspaceId' },
  },
  DeleteApprovalPolicy: {
    call: async ({ api: by, workspaceId }) => ({
      path: { id: (await createPolicy(by, { workspaceId })).body.policy.id },
    }),
    ids: ONE,
  },
  TestApprovalPolicy: {
    call: ({ workspaceId }) => ({ body: { policy: { workspaceId }, context: { workspaceId } } }),
    ids: { 'body.policy.workspaceId': 'workspaceId' },
  },
};

let product: Drawbridge;
let api: Api;
let other: Api;
let workspaceId: string;

beforeAll(async () => {
  product = await drawbridge();
  ({ api, other } = product);
  workspaceId = await newWorkspace(api);
});

describe('a policy', () => {
  it('is gone once deleted, and found nowhere else', async () => {
    const { id } = await newPolicy(api);
    for (const place of [UNKNOWN_ID, (await newPolicy(other)).id]) {
      expectError(await api.get(`${POLICIES}/${place}`), 404, 'NOT_FOUND');
      expectError(await api.patch(`${POLICIES}/${place}`, { name: 'x' }), 404, 'NOT_FOUND');
      expectError(await api.delete(`${POLICIES}/${place}`), 404, 'NOT_FOUND');
    }
    expect(await api.delete(`${POLICIES}/${id}`)).toMatchObject({ status: 200, body: { deleted: true, id } });
    expectError(await api.get(`${POLICIES}/${id}`), 404, 'NOT_FOUND');
  });

  it('is deleted with its workspace', async () => {
    const place = await newWorkspace(api);
    const { id } = await newPolicy(api, { workspaceId: place });
    await api.delete(`/api/v1/workspaces/${place}`);
    await eventually(async () => expectError(await api.get(`${POLICIES}/${id}`), 404, 'NOT_FOUND'), 60_000);
  });

  it('is listed newest first, by the page, and by its workspace', async () => {
    const place = await newWorkspace(other);
    const before = (await other.get(POLICIES)).body.total;
    const made = [
      await newPolicy(other, { workspaceId: place }),
      await newPolicy(other),
      await newPolicy(other, { workspaceId: place }),
    ];
    const [oldest, ofAll, newest] = made;
    expect((await other.get(`${POLICIES}?limit=2`)).body).toEqual({ policies: [newest, ofAll], total: before + 3 });
    expect((await other.get(`${POLICIES}?limit=1&offset=2`)).body).toEqual({ policies: [oldest], total: before + 3 });
    const own = await other.get(`${POLICIES}?workspaceId=${place}`);
    expect(own.body).toEqual({ policies: [newest, oldest], total: 2 });
    expectInvalid(await other.get(`${POLICIES}?limit=101&offset=-1&name=x`), 'limit', 'offset', 'name');
    for (const elsewhere of [workspaceId, UNKNOWN_ID])
      expectError(await other.get(`${POLICIES}?workspaceId=${elsewhere}`), 404, 'NOT_FOUND');
  });

  it('is in the audit log: made, changed and deleted', async () => {
    const { id, name } = await newPolicy(api, { workspaceId });
    await api.patch(`${POLICIES}/${id}`, { enabled: false });
    await api.delete(`${POLICIES}/${id}`);
    await eventually(async () => {
      const { entries } = (await api.get(`/api/v1/audit-log?resourceId=${id}`)).body;
      expect(entries.map((entry: any) => [entry.action, entry.resource.name, entry.workspaceId])).toEqual(
        ['delete', 'update', 'create'].map((what) => [`approval_policy.${what}`, name, workspaceId]),
      );
    });
  });
});

describe('a key of single workspaces', () => {
  it('creates and changes policies of its workspace, and reads those of the organization', async () => {
    const permissions = { scope: 'workspace', workspaceIds: [workspaceId] };
    const { plainKey } = (await api.post('/api/v1/api-keys', { name: 'Narrow', permissions })).body;
    const key = apiOf(product.baseUrl, plainKey);
    const [ofAll, ofAnother] = [await newPolicy(api), await newPolicy(api, { workspaceId: await newWorkspace(api) })];
    const own = await newPolicy(key, { workspaceId });
    expect((await key.get(`${POLICIES}/${ofAll.id}`)).body).toEqual({ policy: ofAll });
    expect((await key.get(POLICIES)).body.policies.map((one: any) => one.workspaceId)).not.toContain(null);
    expect((await key.patch(`${POLICIES}/${own.id}`, { name: 'Mine' })).body.policy.name).toBe('Mine');
    const refused = [
      key.post(POLICIES, { name: 'x' }),
      key.post(POLICIES, { name: 'x', workspaceId: ofAnother.workspaceId }),
      key.patch(`${POLICIES}/${ofAll.id}`, { name: 'x' }),
      key.patch(`${POLICIES}/${own.id}`, { workspaceId: null }),
      key.patch(`${POLICIES}/${own.id}`, { workspaceId: ofAnother.workspaceId }),
      key.delete(`${POLICIES}/${ofAll.id}`),
      key.get(`${POLICIES}/${ofAnother.id}`),
      key.get(`${POLICIES}?workspaceId=${ofAnother.workspaceId}`),
      key.post(`${POLICIES}/test`, { policy: {}, context: { workspaceId: ofAnother.workspaceId } }),
      key.post(`${POLICIES}/test`, { policy: { workspaceId: ofAnother.workspaceId }, context: {} }),
    ];
    for (const answer of await Promise.all(refused)) expectError(answer, 403, 'SCOPE_DENIED');
    expect((await key.delete(`${POLICIES}/${own.id}`)).status).toBe(200);
  });
});
