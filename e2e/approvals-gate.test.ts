// Shapes: local
import { type FakeProvider } from '@drawbridge/testkit';
import { type Answer, type Api } from './support/api.js';
import { decide, eventsOf, letPass, newKey, newPolicy, waiting } from './support/approvals.js';
import { type Drawbridge, drawbridge } from './support/drawbridge.js';
import { eventually } from './support/eventually.js';
import { expectError, expectInvalid } from './support/expect.js';
import { githubWorkspace, type GithubWorkspace } from './support/github.js';
import { provider } from './support/provider.js';
import { reconnect } from './support/reconnect.js';
import { type RefreshedProduct, refreshedProduct } from './support/refreshed.js';
import { newPerson, signIn } from './support/web-users.js';
import { apiOfPage } from './support/web.js';
import { newConnection, newIntegration } from './support/workspace-integrations.js';

const [EXECUTE, EXPLAIN] = ['/api/v1/actions/execute', '/api/v1/actions/explain'];

let product: Drawbridge;
let api: Api;
let github: FakeProvider;
let own: GithubWorkspace;

beforeAll(async () => {
  product = await drawbridge();
  ({ api } = product);
  github = await provider();
});
beforeEach(async () => {
  own = await githubWorkspace(api);
  github.reset();
});
afterAll(() => github.stop());

const execute = (changes: object = {}, headers?: Record<string, string>): Promise<Answer> =>
  api.post(EXECUTE, { ...own.createIssue, ...changes }, headers);
const policy = (fields: object = {}): Promise<any> => newPolicy(api, { workspaceId: own.workspaceId, ...fields });

describe('what was approved', () => {
  let asked: { idempotencyKey: string };
  beforeEach(async () => {
    await policy();
    asked = { ...own.createIssue, idempotencyKey: newKey() };
    const { id } = await waiting(api, asked);
    expect((await decide(api, id, 'approve')).status).toBe(200);
  });
  afterEach(async () => {
    github.reset();
    expect((await api.post(EXECUTE, asked)).status).toBe(200);
    expect(github.requests).toHaveLength(1);
  });

  it.each<[string, (own: GithubWorkspace) => object]>([
    ['another input', () => ({ input: { repo: 'acme/app', title: 'Other' } })],
    ['another action', () => ({ actionName: 'list_commits', input: { repo: 'acme/app' } })],
    ['another end user', () => ({ endUserId: 'ann' })],
  ])('is not %s under its key', async (_what, changes) => {
    expectInvalid(await execute({ ...asked, ...changes(own) }), 'idempotencyKey');
    expect(github.requests).toEqual([]);
  });

  it('is not another alias or connection under its key', async () => {
    const { workspaceId } = own;
    const connectionId = await newConnection(api, { workspaceId, scope: 'WORKSPACE', externalId: 'second' });
    await newIntegration(api, workspaceId, { integrationName: 'github', alias: 'second', connectionId });
    expectInvalid(await execute({ ...asked, integrationAlias: 'second' }), 'idempotencyKey');
    expectInvalid(await execute({ ...asked, connectionExternalId: 'second' }), 'idempotencyKey');
    expect(github.requests).toEqual([]);
  });

  it('counts as another call under another key, or without a key', async () => {
    await waiting(api, { ...asked, idempotencyKey: newKey() });
    await waiting(api, own.createIssue);
    expect(github.requests).toEqual([]);
  });

  it('is another request once a partial has changed its input', async () => {
    const { workspaceId } = own;
    const partial = {
      workspaceId,
      integrationName: 'github',
      name: 'More',
      values: { labels: ['x'] },
      isDefault: true,
    };
    const { id } = (await api.post('/api/v1/partials', partial)).body.partial;
    const { id: other } = await waiting(api, asked);
    expect((await waiting(api, asked)).id).toBe(other);
    expect(github.requests).toEqual([]);
    await api.delete(`/api/v1/partials/${id}`);
    await eventually(async () => expect((await api.post(EXPLAIN, asked)).body.partials).toEqual([]));
  });

  it('is still blocked by a policy that was made since', async () => {
    const { id } = await policy({ decision: 'block', priority: 1 });
    expectError(await execute(asked), 403, 'FORBIDDEN');
    await api.delete(`/api/v1/approval-policies/${id}`);
  });
});

describe('a policy', () => {
  it('that blocks answers 403 with the policy and the reason, for every way to name its connection, and is explained', async () => {
    const { id } = await policy({ decision: 'block', rules: { actionCategories: ['write'] } });
    await newConnection(api, { workspaceId: own.workspaceId, scope: 'WORKSPACE', externalId: 'direct' });
    const direct = { connectionExternalId: 'direct' };
    for (const changes of [
      {},
      direct,
      { ...direct, endUserId: 'ann' },
      { partialIds: [] },
      { idempotencyKey: newKey() },
    ]) {
      const blocked = await execute(changes);
      expectError(blocked, 403, 'FORBIDDEN');
      expect(blocked.body.details).toEqual({ policyId: id, reasons: [expect.stringContaining('write')] });
      const { refusal, policy: explained } = (await api.post(EXPLAIN, { ...own.createIssue, ...changes })).body;
      expect(refusal).toEqual({ status: 403, ...blocked.body });
      expect(explained).toEqual({ id, decision: 'block', reasons: blocked.body.details.reasons });
    }
    expect(github.requests).toEqual([]);
    expect((await execute({ actionName: 'list_commits', input: { repo: 'acme/app' } })).status).toBe(200);
  });

  it('that requires an approval is explained, and not refused', async () => {
    const { id } = await policy();
    const { refusal, policy: explained } = (await api.post(EXPLAIN, own.createIssue)).body;
    expect({ refusal, explained }).toMatchObject({ refusal: null, explained: { id, decision: 'require_approval' } });
  });

  it('that only notifies allows the call, with event approval.notified', async () => {
    const { id } = await policy({ decision: 'notify_only' });
    expect((await execute()).status).toBe(200);
    expect(await eventsOf(product.databaseUrl, id)).toEqual(['approval.notified']);
  });

  it('that approves automatically allows the call, before one that requires approval', async () => {
    await policy({ decision: 'auto_approve', priority: 1 });
    await policy();
    expect((await execute()).status).toBe(200);
  });

  it.each([
    ['disabled', { enabled: false }],
    ['of other integrations', { integrationNames: ['http'] }],
    ['of other doors', { sources: ['mcp_tools'] }],
  ])('that is %s allows the call', async (_what, fields) => {
    await policy({ decision: 'block', ...fields });
    expect((await execute()).status).toBe(200);
  });

  it('of another workspace allows the call', async () => {
    await newPolicy(api, { workspaceId: (await githubWorkspace(api)).workspaceId, decision: 'block' });
    expect((await execute()).status).toBe(200);
  });

  it('is the same for each endpoint that it names', async () => {
    await policy({ sources: ['rest', 'sdk', 'playground'], actionNames: ['create_issue'] });
    await policy({ sources: ['rest', 'sdk', 'playground'], actionNames: ['comment'], decision: 'block' });
    const ids = new Set<string>();
    for (const source of ['rest', 'sdk', 'playground']) {
      const header = { 'x-svc-source': source };
      const waits = await execute({ idempotencyKey: 'one' + own.workspaceId }, header);
      expect(waits.status).toBe(202);
      ids.add(waits.body.approval.id);
      const comment = { actionName: 'comment', input: { repo: 'acme/app', issue_number: 1, body: 'x' } };
      expectError(await execute(comment, header), 403, 'FORBIDDEN');
    }
    expect([...ids]).toHaveLength(1);
  });

  it('ignores a key that claims to be the playground, and accepts that of a signed-in user', async () => {
    const header = { 'x-svc-source': 'playground' };
    await policy();
    await policy({ sources: ['playground'], decision: 'auto_approve', priority: 1 });
    expect((await execute({}, header)).status).toBe(202);
    const admin = await newPerson(product.databaseUrl, { orgId: product.orgId, role: 'admin' });
    const theirs = apiOfPage(product.baseUrl, await signIn(product.baseUrl, admin));
    expect((await theirs.post(EXECUTE, own.createIssue, header)).status).toBe(200);
    await policy({ sources: ['playground'], decision: 'block', priority: 0 });
    expectError(await execute({}, header), 403, 'FORBIDDEN');
    expect((await execute()).status).toBe(202);
  });
});

it('allows an identical call under an approval for the time that its policy sets', async () => {
  await policy({ reuseWindowSeconds: 600 });
  const asked = { ...own.createIssue, idempotencyKey: newKey() };
  const { id } = await waiting(api, asked);
  await waiting(api, own.createIssue);
  await decide(api, id, 'approve');
  expect((await execute({ idempotencyKey: newKey() })).status).toBe(200);
  expect((await execute()).status).toBe(200);
  const { executions } = (await api.get(`/api/v1/executions?workspaceId=${own.workspaceId}`)).body;
  expect(executions.map(({ approvalId }: any) => approvalId)).toEqual([id, id]);
  await waiting(api, { ...own.createIssue, endUserId: 'ann' });
  await waiting(api, { ...own.createIssue, input: { repo: 'acme/app', title: 'Other' } });
  await letPass(product.databaseUrl, id, 601);
  await waiting(api, own.createIssue);
});

describe('an approval of a call', () => {
  let its: RefreshedProduct;
  let api: Api;
  let github: FakeProvider;
  let own: GithubWorkspace;

  beforeAll(async () => {
    its = await refreshedProduct();
    ({ api, provider: github } = its);
  });
  beforeEach(async () => {
    own = await githubWorkspace(api);
    github.reset();
  });
  afterAll(() => its?.stop());

  const execute = (changes: object = {}): Promise<Answer> => api.post(EXECUTE, { ...own.createIssue, ...changes });
  const policy = (fields: object = {}): Promise<any> => newPolicy(api, { workspaceId: own.workspaceId, ...fields });

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

  it('ends when its configured integration uses another connection', async () => {
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
