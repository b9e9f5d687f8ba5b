// Shapes: local
import { type FakeProvider } from '@drawbridge/testkit';
import { type Answer, type Api } from './support/api.js';
import { decide, eventsOf, letPass, newKey, newPolicy, waiting } from './support/approvals.js';
import { type Drawbridge, drawbridge } from './support/drawbridge.js';
import { eventually } from './support/eventually.js';
import { expectError, expectInvalid } from './support/expect.js';
import { type GithubWorkspace, githubWorkspace } from './support/github.js';
import { provider } from './support/provider.js';
import { apiOfPage } from './support/web.js';
import { newPerson, signIn } from './support/web-users.js';
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
  const first = await githubWorkspace(api);
  await newPolicy(api, { workspaceId: first.workspaceId });
  await eventually(() => waiting(api, first.createIssue));
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

  it('is not the same call under another key, or under none', async () => {
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
  it('that blocks is 403 with the policy and why, however its connection is named, and is explained', async () => {
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

  it('that asks for an approval is explained, and not refused', async () => {
    const { id } = await policy();
    const { refusal, policy: explained } = (await api.post(EXPLAIN, own.createIssue)).body;
    expect({ refusal, explained }).toMatchObject({ refusal: null, explained: { id, decision: 'require_approval' } });
  });

  it('that wants to be told lets it run, with event approval.notified', async () => {
    const { id } = await policy({ decision: 'notify_only' });
    expect((await execute()).status).toBe(200);
    expect(await eventsOf(product.databaseUrl, id)).toEqual(['approval.notified']);
  });

  it('that approves by itself lets it run, before one that asks', async () => {
    await policy({ decision: 'auto_approve', priority: 1 });
    await policy();
    expect((await execute()).status).toBe(200);
  });

  it.each([
    ['disabled', { enabled: false }],
    ['of other integrations', { integrationNames: ['http'] }],
    ['of other doors', { sources: ['mcp_tools'] }],
  ])('that is %s lets it run', async (_what, fields) => {
    await policy({ decision: 'block', ...fields });
    expect((await execute()).status).toBe(200);
  });

  it('of another workspace lets it run', async () => {
    await newPolicy(api, { workspaceId: (await githubWorkspace(api)).workspaceId, decision: 'block' });
    expect((await execute()).status).toBe(200);
  });

  it('is the same for each door that it names', async () => {
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

  it('is passed by no key that says it is the playground, which a person who is signed in may be', async () => {
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

it('lets an identical call run under an approval for as long as its policy says', async () => {
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
