// Shapes: local
import { type FakeProvider } from '@drawbridge/testkit';
import { type Answer, type Api } from './support/api.js';
import { decide, newKey, newPolicy, waiting } from './support/approvals.js';
import { eventually } from './support/eventually.js';
import { type GithubWorkspace, githubWorkspace } from './support/github.js';
import { type RefreshedProduct, refreshedProduct } from './support/refreshed.js';
import { reconnect } from './support/reconnect.js';
import { newConnection } from './support/workspace-integrations.js';

const EXECUTE = '/api/v1/actions/execute';

let its: RefreshedProduct;
let api: Api;
let github: FakeProvider;
let own: GithubWorkspace;

beforeAll(async () => {
  its = await refreshedProduct();
  ({ api, provider: github } = its);
  const first = await githubWorkspace(api);
  await newPolicy(api, { workspaceId: first.workspaceId });
  await eventually(() => waiting(api, first.createIssue));
});
beforeEach(async () => {
  own = await githubWorkspace(api);
  github.reset();
});
afterAll(() => its?.stop());

const execute = (changes: object = {}): Promise<Answer> => api.post(EXECUTE, { ...own.createIssue, ...changes });
const policy = (fields: object = {}): Promise<any> => newPolicy(api, { workspaceId: own.workspaceId, ...fields });

describe('an approval of a call', () => {
  const approved = async (): Promise<{ asked: object; id: string }> => {
    const asked = { ...own.createIssue, idempotencyKey: newKey() };
    const { id } = await waiting(api, asked);
    expect((await decide(api, id, 'approve')).status).toBe(200);
    return { asked, id };
  };
  const another = async (asked: object, id: string): Promise<void> => {
    expect((await waiting(api, asked)).id).not.toBe(id);
    expect((await waiting(api, { ...asked, idempotencyKey: newKey() })).id).not.toBe(id);
    expect(github.requests).toEqual([]);
  };

  it.each([null, 600])(
    'ends with the credential of its connection, where reuseWindowSeconds is %s',
    async (seconds) => {
      await policy({ reuseWindowSeconds: seconds });
      const { asked, id } = await approved();
      await reconnect({ api, baseUrl: its.product.baseUrl }, own, 'ghp_of_another_account');
      github.reset();
      await another(asked, id);
      const { id: second } = await waiting(api, asked);
      await decide(api, second, 'approve');
      expect((await api.post(EXECUTE, asked)).status).toBe(200);
      expect(github.requests[0]!.headers.authorization).toContain('ghp_of_another_account');
    },
  );

  it('ends with its connection, also where another one gets the same externalId', async () => {
    const { workspaceId } = own;
    const facts = { workspaceId, scope: 'WORKSPACE', externalId: 'again', integrationName: 'github' };
    await policy({ reuseWindowSeconds: 600 });
    own.createIssue = { ...own.createIssue, connectionExternalId: 'again' } as typeof own.createIssue;
    const before = await newConnection(api, facts);
    const { asked, id } = await approved();
    await api.delete(`/api/v1/connections/${before}`);
    await newConnection(api, facts);
    await another(asked, id);
  });

  it('ends when its configured integration takes another connection', async () => {
    const { workspaceId, integrationId } = own;
    await policy({ reuseWindowSeconds: 600 });
    const { asked, id } = await approved();
    const connectionId = await newConnection(api, { workspaceId, scope: 'WORKSPACE', externalId: 'other' });
    const moved = await api.patch(`/api/v1/workspaces/${workspaceId}/integrations/${integrationId}`, { connectionId });
    expect(moved.status).toBe(200);
    await another(asked, id);
  });

  it('outlasts a refresh of its token', async () => {
    await newPolicy(api, { workspaceId: its.workspaceId, reuseWindowSeconds: 600 });
    its.reset();
    const connection = await its.connect();
    const waits = await connection.execute();
    expect(waits.status).toBe(202);
    await decide(api, waits.body.approval.id, 'approve');
    await connection.expire();
    expect((await connection.execute()).status).toBe(200);
    expect(its.issuer.refreshes).toHaveLength(1);
  });

  it('is reused for identical calls until its policy is changed', async () => {
    const { id: policyId } = await policy({ reuseWindowSeconds: 600 });
    const { id } = await approved();
    expect((await execute()).status).toBe(200);
    await api.patch(`/api/v1/approval-policies/${policyId}`, { approvers: [{ type: 'org_role', roles: ['owner'] }] });
    expect((await waiting(api, own.createIssue)).id).not.toBe(id);
  });

  it('still covers its exact retry after its policy is changed, unless another policy matches now', async () => {
    const { id: policyId } = await policy();
    const { asked } = await approved();
    await api.patch(`/api/v1/approval-policies/${policyId}`, { name: 'Renamed' });
    expect((await api.post(EXECUTE, asked)).status).toBe(200);
    const second = await approved();
    await policy({ priority: 1 });
    expect((await waiting(api, second.asked)).id).not.toBe(second.id);
  });
});
