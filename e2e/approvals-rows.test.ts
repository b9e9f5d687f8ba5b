// Shapes: local
import { type FakeProvider } from '@drawbridge/testkit';
import { type Answer, type Api } from './support/api.js';
import { approvalOf, decide, letPass, newKey, newPolicy, waiting } from './support/approvals.js';
import { rowsOf } from './support/database.js';
import { type Drawbridge, drawbridge } from './support/drawbridge.js';
import { eventually } from './support/eventually.js';
import { expectInvalid } from './support/expect.js';
import { type GithubWorkspace, githubWorkspace } from './support/github.js';
import { provider } from './support/provider.js';
import { newIntegration, pathOf } from './support/workspace-integrations.js';

const [EXECUTE, LIST] = ['/api/v1/actions/execute', '/api/v1/approvals'];
const OTHER = { repo: 'acme/app', title: 'Other' };

let product: Drawbridge;
let api: Api;
let github: FakeProvider;
let own: GithubWorkspace;

beforeAll(async () => {
  product = await drawbridge();
  ({ api } = product);
  github = await provider();
  own = await githubWorkspace(api);
  await newPolicy(api, { workspaceId: own.workspaceId });
  await eventually(() => waiting(api, own.createIssue));
});
afterEach(() => github.reset());
afterAll(() => github.stop());

const call = (changes: object = {}): { idempotencyKey: string } => ({
  ...own.createIssue,
  idempotencyKey: newKey(),
  ...changes,
});
const execute = (asked: object, headers?: Record<string, string>): Promise<Answer> => api.post(EXECUTE, asked, headers);
const approved = async (asked: object): Promise<string> => {
  const { id } = await waiting(api, asked);
  expect((await decide(api, id, 'approve')).status).toBe(200);
  return id;
};

it('of several policies at one priority the most severe applies, then the lower id', async () => {
  const several = await githubWorkspace(api);
  const { workspaceId } = several;
  const made: string[] = [];
  for (const decision of ['block', 'require_approval', 'require_approval', 'notify_only', 'auto_approve'].reverse())
    made.unshift((await newPolicy(api, { workspaceId, decision })).id);
  const [block, later, earlier, ...others] = made;
  for (const id of [block, earlier, later, ...others]) {
    await eventually(async () => {
      const { policy } = (await api.post('/api/v1/actions/explain', several.createIssue)).body;
      expect(policy.id).toBe(id);
    });
    expect((await api.patch(`/api/v1/approval-policies/${id}`, { enabled: false })).status).toBe(200);
  }
});

describe('a decision', () => {
  it.each(['approve', 'reject', 'cancel'])('to %s needs no body', async (how) => {
    const { id } = await waiting(api, call());
    const { status, body } = await api.post(`${LIST}/${id}/${how}`);
    expect({ status, body }).toMatchObject({ status: 200, body: { approval: { id, decisionReason: null } } });
  });
});

describe('the exact retry', () => {
  it.each(['Idempotency-Key', 'X-Idempotency-Key'])('may have its key in %s', async (header) => {
    const { idempotencyKey } = call();
    const headers = { [header]: idempotencyKey };
    const { status, body } = await execute(own.createIssue, headers);
    expect([status, body.approval.retry]).toEqual([202, { idempotencyKey }]);
    await decide(api, body.approval.id, 'approve');
    expect((await execute({ ...own.createIssue, idempotencyKey })).status).toBe(200);
    expect((await execute(own.createIssue, headers)).headers.get('idempotent-replayed')).toBe('true');
    expect(github.requests).toHaveLength(1);
  });

  it('asks anew once the receipt of its approval is over', async () => {
    const asked = call();
    const id = await approved(asked);
    await letPass(product.databaseUrl, id, 3_601);
    expect((await waiting(api, asked)).id).not.toBe(id);
    expect((await approvalOf(api, id)).status).toBe('approved');
    expect(github.requests).toEqual([]);
  });

  it('asks anew once what it was answered is stored no longer: 24 h after it ran', async () => {
    const asked = call();
    const id = await approved(asked);
    expect((await execute(asked)).status).toBe(200);
    const passed = [
      [`UPDATE execution.claims SET expires_at = now() WHERE key = $1`, asked.idempotencyKey],
      [`UPDATE approvals.approval_requests SET consumed_at = now() - interval '24 hours' WHERE id = $1`, id.slice(4)],
    ] as const;
    for (const [sql, value] of passed) await rowsOf(product.databaseUrl, sql, [value]);
    expect((await waiting(api, asked)).id).not.toBe(id);
    expect(github.requests).toHaveLength(1);
  });

  it('runs where nobody wants a yes any more; its request stays in history, and can be decided', async () => {
    const gone = await githubWorkspace(api);
    const policy = await newPolicy(api, { workspaceId: gone.workspaceId });
    const asked = { ...gone.createIssue, idempotencyKey: newKey() };
    const { id } = await waiting(api, asked);
    await api.delete(`/api/v1/approval-policies/${policy.id}`);
    await eventually(async () => expect((await execute(asked)).status).toBe(200));
    expect(await approvalOf(api, id)).toMatchObject({ status: 'pending', policyId: policy.id });
    expect((await api.get(`${LIST}?workspaceId=${gone.workspaceId}`)).body).toMatchObject({ approvals: [{ id }] });
    expect((await decide(api, id, 'reject')).status).toBe(200);
  });
});

it('does not work on the state of another owner than was approved', async () => {
  const { workspaceId } = await githubWorkspace(api);
  const settings = { persistence: { scope: 'workspace' } };
  const { id } = await newIntegration(api, workspaceId, { integrationName: 'kv-store', alias: 'kept', settings });
  await newPolicy(api, { workspaceId });
  const integrationName = 'kv-store';
  const input = { key: 'k', value: 1 };
  const asked = { integrationName, actionName: 'set', workspaceId, endUserId: 'ann', input, idempotencyKey: newKey() };
  await approved(asked);
  const keepIn = async (persistence: object): Promise<void> => {
    expect((await api.patch(pathOf(workspaceId, id), { settings: { persistence } })).status).toBe(200);
  };
  await keepIn({ scope: 'external', externalId: 'bob' });
  // The same request now uses another owner's state, so it needs another approval.
  await eventually(async () => expect((await execute(asked)).status).toBe(202));
  await keepIn(settings.persistence);
  await eventually(async () => expect((await execute(asked)).status).toBe(200));
});

it('keeps the key of a call that waits for that call', async () => {
  const asked = call();
  const { id } = await waiting(api, asked);
  expectInvalid(await execute({ ...asked, input: OTHER }), 'idempotencyKey');
  await decide(api, id, 'reject');
  expect((await waiting(api, { ...asked, input: OTHER })).id).not.toBe(id);
});

it('lists 50 at once, 100 at most', async () => {
  const many = `INSERT INTO approvals.approval_requests SELECT (jsonb_populate_record(one,
    jsonb_build_object('id', gen_random_uuid(), 'idempotency_key', n))).*
    FROM approvals.approval_requests one, generate_series(1, 101) n WHERE one.id = $1`;
  const crowded = await githubWorkspace(api);
  await newPolicy(api, { workspaceId: crowded.workspaceId });
  await rowsOf(product.databaseUrl, many, [(await waiting(api, crowded.createIssue)).id.slice(4)]);
  const page = async (query: string): Promise<any> =>
    (await api.get(`${LIST}?workspaceId=${crowded.workspaceId}${query}`)).body;
  expect(await page('')).toMatchObject({ total: 102, approvals: { length: 50 } });
  expect(await page('&limit=100')).toMatchObject({ total: 102, approvals: { length: 100 } });
  expectInvalid(await api.get(`${LIST}?limit=101`), 'limit');
});

it.each([
  ['dashboard_only', true, false],
  ['dashboard_and_hosted_link', true, true],
  ['hosted_link_only', false, true],
])('shows in the access mode %s the links that it allows, and the others as null', async (mode, signedIn, hosted) => {
  const guarded = await githubWorkspace(api);
  await newPolicy(api, { workspaceId: guarded.workspaceId, approvalAccessMode: mode });
  const waits = await waiting(api, guarded.createIssue);
  const link = expect.any(String);
  const links = { approvalUrl: signedIn ? link : null, hostedApprovalUrl: hosted ? link : null };
  expect(waits).toMatchObject(links);
  expect(await approvalOf(api, waits.id)).toMatchObject({ ...links, approvalAccessMode: mode });
});

it('gives an identical call of another alias no reuse of an approval, nor one under another policy', async () => {
  const reused = await githubWorkspace(api);
  const { workspaceId, connectionId } = reused;
  await newPolicy(api, { workspaceId, reuseWindowSeconds: 600 });
  const path = `/api/v1/workspaces/${workspaceId}/integrations`;
  await api.post(path, { integrationName: 'github', alias: 'second', connectionId });
  const asked = { ...reused.createIssue, idempotencyKey: newKey() };
  await approved(asked);
  expect((await execute(reused.createIssue)).status).toBe(200);
  await waiting(api, { ...reused.createIssue, integrationAlias: 'second' });
  const { id: policyId } = await newPolicy(api, { workspaceId, reuseWindowSeconds: 600, priority: 1 });
  const { id } = await eventually(() => waiting(api, reused.createIssue));
  expect(await approvalOf(api, id)).toMatchObject({ policyId });
});
