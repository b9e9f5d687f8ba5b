// Shapes: local
import { type Api, apiOf } from './support/api.js';
import { type Drawbridge, drawbridge } from './support/drawbridge.js';
import { eventually } from './support/eventually.js';
import { expectError, expectInvalid, NOBODY, TIMESTAMP } from './support/expect.js';
import { fresh } from './support/owned-resources.js';
import { newPerson } from './support/people.js';
import { newWorkspace } from './support/workspace-integrations.js';

const PATH = '/api/v1/approval-policies';

let product: Drawbridge;
let api: Api;
let other: Api;
let workspaceId: string;

beforeAll(async () => {
  product = await drawbridge();
  ({ api, other } = product);
  workspaceId = await newWorkspace(api);
});

async function policy(fields: object = {}, by = api): Promise<any> {
  const { status, body } = await by.post(PATH, { name: fresh(), ...fields });
  expect({ status, body }).toMatchObject({ status: 201 });
  return body.policy;
}

describe('changing a policy', () => {
  it('writes what is given, lists in place of those before, and null where it may be', async () => {
    const made = await policy({
      workspaceId,
      sources: ['rest'],
      actionNames: ['a', 'b'],
      rules: { actionCategories: ['send'] },
    });
    const changes = { sources: [], actionNames: ['c'], rules: { domainDenylist: ['evil.org'] }, enabled: false };
    const { body } = await api.patch(`${PATH}/${made.id}`, changes);
    expect(body).toEqual({ policy: { ...made, ...changes, updatedAt: expect.stringMatching(TIMESTAMP) } });
    const filled = { description: 'd', reuseWindowSeconds: 60, metadata: { a: 1 } };
    expect((await api.patch(`${PATH}/${made.id}`, filled)).body.policy).toMatchObject({
      ...filled,
      actionNames: ['c'],
    });
    const none = { description: null, reuseWindowSeconds: null, metadata: null, workspaceId: null };
    expect((await api.patch(`${PATH}/${made.id}`, none)).body.policy).toMatchObject({ ...none, name: made.name });
    expect((await api.get(`${PATH}/${made.id}`)).body.policy).toMatchObject(none);
  });

  it('is refused as a new one is', async () => {
    const { id } = await policy({ workspaceId });
    expectError(await api.patch(`${PATH}/${id}`, {}), 400, 'VALIDATION_ERROR');
    const { name, enabled, sources, rules } = { name: null, enabled: null, sources: null, rules: null };
    expectInvalid(
      await api.patch(`${PATH}/${id}`, { name, enabled, sources, rules }),
      'name',
      'enabled',
      'sources',
      'rules',
    );
    expectInvalid(await api.patch(`${PATH}/${id}`, { priority: -1, colour: 'red' }), 'priority', 'colour');
    expectInvalid(await api.patch(`${PATH}/${id}`, { sources: ['soap'] }), 'sources[0]');
    const userIds = [(await newPerson(product)).userId];
    const approvers = [{ type: 'dashboard_user', userIds }];
    expectInvalid(await api.patch(`${PATH}/${id}`, { approvers }), 'approvers[0].userIds[0]');
    expectError(await api.patch(`${PATH}/${id}`, { workspaceId: NOBODY }), 404, 'NOT_FOUND');
  });
});

describe('a policy', () => {
  it('is gone once deleted, and found nowhere else', async () => {
    const { id } = await policy();
    for (const place of [NOBODY, (await policy({}, other)).id]) {
      expectError(await api.get(`${PATH}/${place}`), 404, 'NOT_FOUND');
      expectError(await api.patch(`${PATH}/${place}`, { name: 'x' }), 404, 'NOT_FOUND');
      expectError(await api.delete(`${PATH}/${place}`), 404, 'NOT_FOUND');
    }
    expect(await api.delete(`${PATH}/${id}`)).toMatchObject({ status: 200, body: { deleted: true, id } });
    expectError(await api.get(`${PATH}/${id}`), 404, 'NOT_FOUND');
  });

  it('goes with its workspace', async () => {
    const place = await newWorkspace(api);
    const { id } = await policy({ workspaceId: place });
    await api.delete(`/api/v1/workspaces/${place}`);
    await eventually(async () => expectError(await api.get(`${PATH}/${id}`), 404, 'NOT_FOUND'), 60_000);
  });

  it('is listed newest first, by the page, and by its workspace', async () => {
    const place = await newWorkspace(other);
    const before = (await other.get(PATH)).body.total;
    const made = [
      await policy({ workspaceId: place }, other),
      await policy({}, other),
      await policy({ workspaceId: place }, other),
    ];
    const [oldest, ofAll, newest] = made;
    expect((await other.get(`${PATH}?limit=2`)).body).toEqual({ policies: [newest, ofAll], total: before + 3 });
    expect((await other.get(`${PATH}?limit=1&offset=2`)).body).toEqual({ policies: [oldest], total: before + 3 });
    const own = await other.get(`${PATH}?workspaceId=${place}`);
    expect(own.body).toEqual({ policies: [newest, oldest], total: 2 });
    expectInvalid(await other.get(`${PATH}?limit=101&offset=-1&name=x`), 'limit', 'offset', 'name');
    for (const elsewhere of [workspaceId, NOBODY])
      expectError(await other.get(`${PATH}?workspaceId=${elsewhere}`), 404, 'NOT_FOUND');
  });

  it('is in the audit log: made, changed and deleted', async () => {
    const { id, name } = await policy({ workspaceId });
    await api.patch(`${PATH}/${id}`, { enabled: false });
    await api.delete(`${PATH}/${id}`);
    await eventually(async () => {
      const { entries } = (await api.get(`/api/v1/audit-log?resourceId=${id}`)).body;
      expect(entries.map((entry: any) => [entry.action, entry.resource.name, entry.workspaceId])).toEqual(
        ['delete', 'update', 'create'].map((what) => [`approval_policy.${what}`, name, workspaceId]),
      );
    });
  });
});

describe('a key of single workspaces', () => {
  it("makes and changes policies of its own, and reads the organization's", async () => {
    const permissions = { scope: 'workspace', workspaceIds: [workspaceId] };
    const { plainKey } = (await api.post('/api/v1/api-keys', { name: 'Narrow', permissions })).body;
    const key = apiOf(product.baseUrl, plainKey);
    const [ofAll, ofAnother] = [await policy(), await policy({ workspaceId: await newWorkspace(api) })];
    const own = await policy({ workspaceId }, key);
    expect((await key.get(`${PATH}/${ofAll.id}`)).body).toEqual({ policy: ofAll });
    expect((await key.get(PATH)).body.policies.map((one: any) => one.workspaceId)).not.toContain(null);
    expect((await key.patch(`${PATH}/${own.id}`, { name: 'Mine' })).body.policy.name).toBe('Mine');
    const refused = [
      key.post(PATH, { name: 'x' }),
      key.post(PATH, { name: 'x', workspaceId: ofAnother.workspaceId }),
      key.patch(`${PATH}/${ofAll.id}`, { name: 'x' }),
      key.patch(`${PATH}/${own.id}`, { workspaceId: null }),
      key.patch(`${PATH}/${own.id}`, { workspaceId: ofAnother.workspaceId }),
      key.delete(`${PATH}/${ofAll.id}`),
      key.get(`${PATH}/${ofAnother.id}`),
      key.get(`${PATH}?workspaceId=${ofAnother.workspaceId}`),
      key.post(`${PATH}/test`, { policy: {}, context: { workspaceId: ofAnother.workspaceId } }),
      key.post(`${PATH}/test`, { policy: { workspaceId: ofAnother.workspaceId }, context: {} }),
    ];
    for (const answer of await Promise.all(refused)) expectError(answer, 403, 'SCOPE_DENIED');
    expect((await key.delete(`${PATH}/${own.id}`)).status).toBe(200);
  });
});
