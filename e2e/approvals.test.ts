// Shapes: local
import { type FakeProvider } from '@drawbridge/testkit';
import { type Answer, type Api, apiOf } from './support/api.js';
import { approvalOf, decide, eventsOf, letPass, newKey, newPolicy, waiting } from './support/approvals.js';
import { rowsOf } from './support/database.js';
import { type Drawbridge, drawbridge } from './support/drawbridge.js';
import { eventually } from './support/eventually.js';
import { expectError, expectInvalid, UNKNOWN_ID, TIMESTAMP } from './support/expect.js';
import { githubWorkspace, type GithubWorkspace } from './support/github.js';
import { type Operations, testsOf } from './support/operation-cases.js';
import { type OwnedResources } from './support/owned-resources.js';
import { provider } from './support/provider.js';
import { untilCachesExpire } from './support/until-caches-expire.js';
import { newIntegration, pathOf } from './support/workspace-integrations.js';

const { afterAll, afterEach, beforeAll, describe, it } = testsOf(import.meta);

const [EXECUTE, LIST] = ['/api/v1/actions/execute', '/api/v1/approvals'];
const OTHER = { repo: 'acme/app', title: 'Other' };

const policies = new WeakMap<OwnedResources, Promise<unknown>>();

/** Creates an approval request for an action that no other operation runs. */
async function newApproval(own: OwnedResources): Promise<string> {
  const { api, workspaceId, createIssue } = own;
  const policy = policies.get(own) ?? newPolicy(api, { workspaceId, actionNames: ['comment'] });
  policies.set(own, policy);
  await policy;
  const comment = {
    ...createIssue,
    actionName: 'comment',
    input: { repo: 'acme/app', issue_number: 1, body: newKey() },
  };
  return (await waiting(api, comment)).id;
}

const oneOf = async (own: OwnedResources) => ({ path: { id: await newApproval(own) } });
const decision = async (own: OwnedResources) => ({ ...(await oneOf(own)), body: { reason: 'It is agreed' } });

export const OPERATIONS: Operations = {
  ListApprovals: { call: ({ workspaceId }) => ({ query: { workspaceId } }) },
  GetApproval: { call: oneOf },
  ApproveApproval: { call: decision },
  RejectApproval: { call: decision },
  CancelApproval: { call: decision },
};

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
  await waiting(api, own.createIssue);
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
const keyWith = async (permissions: object): Promise<Api> =>
  apiOf(product.baseUrl, (await api.post('/api/v1/api-keys', { name: 'Narrow', permissions })).body.plainKey);

describe('a call that waits', () => {
  it('is answered 202 with its approval URL, and nothing is sent: none → pending, event approval.requested', async () => {
    const asked = call();
    const { status, body } = await execute(asked);
    const { id } = body.approval;
    const at = `${product.baseUrl}/approvals/${id}`;
    expect({ status, body }).toEqual({
      status: 202,
      body: {
        success: false,
        status: 'approval_required',
        approval: {
          id: expect.stringMatching(/^apr_[0-9a-f-]{36}$/),
          status: 'pending',
          approvalUrl: at,
          hostedApprovalUrl: expect.stringMatching(new RegExp(`^${at}\\?token=apr_link_[\\w-]{43}$`)),
          expiresAt: expect.stringMatching(TIMESTAMP),
          retry: { idempotencyKey: (asked as { idempotencyKey: string }).idempotencyKey },
        },
      },
    });
    expect(github.requests).toEqual([]);
    expect(await eventsOf(product.databaseUrl, id)).toEqual(['approval.requested']);
    expect(product.logs()).not.toContain('apr_link_');
  });

  it('receives an idempotency key if it has none, and waits under it', async () => {
    const { id, retry } = await waiting(api, own.createIssue);
    expect(retry.idempotencyKey).not.toBe('');
    expect((await waiting(api, { ...own.createIssue, ...retry })).id).toBe(id);
    expect((await waiting(api, own.createIssue)).id).not.toBe(id);
  });

  it('is the same 202 for the same request and key', async () => {
    const asked = call();
    expect((await execute(asked)).body).toEqual((await execute(asked)).body);
  });

  it('shows the approver the input of the action without secrets', async () => {
    const headers = { Authorization: 'Bearer x', accept: 'text/plain' };
    const url = 'https://ann:pw@api.example.com/?token=t';
    const http = { integrationName: 'http', actionName: 'send_request', integrationAlias: undefined };
    const asked = call({
      ...http,
      endUserId: 'ann',
      input: { method: 'POST', url, headers, text: 'hello' },
    });
    const { id, retry } = await waiting(api, { ...asked, connectionExternalId: undefined });
    const policy = (await api.get('/api/v1/approval-policies')).body.policies.at(-1);
    expect(await approvalOf(api, id)).toMatchObject({
      ...{ id, orgId: product.orgId, workspaceId: own.workspaceId, policyId: policy.id, endUserId: 'ann' },
      ...{ source: 'rest', status: 'pending', integrationName: 'http', integrationAlias: null },
      ...{ workspaceIntegrationId: null, mcpServerId: null, actionName: 'send_request' },
      inputPreview: {
        ...{ method: 'POST', url: 'https://ann:[redacted]@api.example.com/?token=[redacted]' },
        headers: { Authorization: '[redacted]', accept: 'text/plain' },
      },
      redactedPaths: ['url', 'headers.Authorization'],
      riskReasons: [expect.any(String)],
      approvalAccessMode: 'dashboard_and_hosted_link',
      ...{ idempotencyKey: retry.idempotencyKey, inputHash: expect.stringMatching(/^[0-9a-f]{64}$/) },
      ...{ decidedAt: null, decidedBy: null, decisionReason: null, consumedAt: null },
      ...{ createdAt: expect.stringMatching(TIMESTAMP), updatedAt: expect.stringMatching(TIMESTAMP) },
    });
  });

  it('never shows the credential that it would use, even if the input contains it', async () => {
    const { id } = await waiting(api, call({ input: { repo: 'acme/app', title: `a ${own.secret} b` } }));
    const approval = await approvalOf(api, id);
    expect(approval).toMatchObject({ inputPreview: { title: 'a [redacted] b' }, redactedPaths: ['title'] });
    expect(JSON.stringify(approval)).not.toContain(own.secret);
  });
});

describe('a decision', () => {
  it('approve: pending → approved, with a receipt, event, audit entry, who and why; the exact retry runs once: consumed', async () => {
    github.on('*', { status: 201, body: { number: 7 } });
    const asked = call();
    const { id } = await waiting(api, asked);
    const { status, body } = await decide(api, id, 'approve', { reason: 'Agreed', metadata: { ticket: 7 } });
    expect({ status, body }).toMatchObject({
      status: 200,
      body: {
        approval: { id, status: 'approved', decidedBy: { type: 'api_key' }, decisionReason: 'Agreed' },
        receipt: { id: expect.any(String), expiresAt: expect.stringMatching(TIMESTAMP) },
      },
    });
    const first = await execute(asked);
    expect(first).toMatchObject({ status: 200, body: { success: true, output: { number: 7 } } });
    const again = await execute(asked);
    expect(again.headers.get('idempotent-replayed')).toBe('true');
    expect(again.body).toEqual(first.body);
    expect(github.requests).toHaveLength(1);
    const used = await approvalOf(api, id);
    expect(used).toMatchObject({ status: 'consumed', consumedAt: expect.stringMatching(TIMESTAMP) });
    const [run] = (await api.get(`/api/v1/executions?workspaceId=${own.workspaceId}&limit=1`)).body.executions;
    expect(run).toMatchObject({ approvalId: id, status: 'success' });
    expect(await eventsOf(product.databaseUrl, id)).toEqual(['approval.requested', 'approval.approved']);
    await eventually(async () => {
      const { entries } = (await api.get(`/api/v1/audit-log?resourceId=${id.slice(4)}`)).body;
      expect(entries).toMatchObject([
        { action: 'approval.approve', outcome: 'allowed', reason: 'Agreed', resource: { name: id } },
      ]);
      expect(entries[0].actor.id).toBe(used.decidedBy.id);
    });
  });

  it.each([
    ['reject', 'rejected'],
    ['cancel', 'canceled'],
  ])('%s: pending → %s, with its event; a retry opens a new request', async (how, status) => {
    const asked = call();
    const { id } = await waiting(api, asked);
    const { body } = await decide(api, id, how);
    expect(body).toMatchObject({ approval: { id, status, decisionReason: null }, receipt: null });
    expect(await eventsOf(product.databaseUrl, id)).toEqual(['approval.requested', `approval.${status}`]);
    expect((await waiting(api, asked)).id).not.toBe(id);
    expect(github.requests).toEqual([]);
  });

  it.each(['approve', 'reject', 'cancel'])(
    'is made once: %s after it answers 409 with the decided approval',
    async (how) => {
      const { id } = await waiting(api, call());
      await decide(api, id, 'reject', { reason: 'No' });
      const late = await decide(api, id, how);
      expectError(late, 409, 'DUPLICATE');
      const { webhookDeliveries: _told, ...approval } = await approvalOf(api, id);
      expect(late.body.details).toEqual({ approval });
      expect(late.body.details.approval).toMatchObject({ status: 'rejected', decisionReason: 'No' });
    },
  );
});

it('is decided by a user with the permission, of the workspace or the organization', async () => {
  const { id } = await waiting(api, call());
  const elsewhere = (await githubWorkspace(api)).workspaceId;
  const decides = { approvals: { decide: true } };
  const may = await keyWith({ scope: 'workspace', workspaceIds: [own.workspaceId], grants: [], ...decides });
  const mayNot = await keyWith({ scope: 'org' });
  const outside = await keyWith({ scope: 'workspace', workspaceIds: [elsewhere], ...decides });
  for (const how of ['approve', 'reject', 'cancel']) {
    expectError(await decide(mayNot, id, how), 403, 'FORBIDDEN');
    expectError(await decide(outside, id, how), 403, 'SCOPE_DENIED');
    expectError(await decide(product.other, id, how), 404, 'NOT_FOUND');
    expectError(await decide(apiOf(product.baseUrl), id, how), 401, 'UNAUTHENTICATED');
    expectError(await decide(api, `apr_${UNKNOWN_ID}`, how), 404, 'NOT_FOUND');
    expectError(await decide(api, UNKNOWN_ID, how), 404, 'NOT_FOUND');
    expectInvalid(await decide(api, id, how, { reason: 7, why: 'x' }), 'reason', 'why');
    expectInvalid(await decide(api, id, how, { metadata: { much: 'x'.repeat(17_000) } }), 'metadata');
  }
  expectError(await outside.get(`${LIST}/${id}`), 403, 'SCOPE_DENIED');
  expectError(await product.other.get(`${LIST}/${id}`), 404, 'NOT_FOUND');
  expect((await decide(may, id, 'approve')).status).toBe(200);
});

it('shows its hosted link to users who can decide and to keys that can execute, but not to readers', async () => {
  const { id, hostedApprovalUrl } = await waiting(api, call());
  const reading = { scope: 'org', grants: ['approvals.read'] };
  const linksTo = async (permissions: object) => {
    const theirs = await keyWith(permissions);
    const { approvals } = (await theirs.get(LIST)).body;
    const listed = approvals.find((one: any) => one.id === id);
    return [(await approvalOf(theirs, id)).hostedApprovalUrl, listed.hostedApprovalUrl];
  };
  const both = [hostedApprovalUrl, hostedApprovalUrl];
  expect(await linksTo({ scope: 'org' })).toEqual(both);
  expect(await linksTo({ ...reading, grants: ['approvals.read', 'actions.execute'] })).toEqual(both);
  expect(await linksTo({ ...reading, approvals: { decide: true } })).toEqual(both);
  expect(await linksTo(reading)).toEqual([null, null]);
});

describe('the list', () => {
  let listed: GithubWorkspace;
  beforeAll(async () => {
    listed = await githubWorkspace(api);
    await newPolicy(api, { workspaceId: listed.workspaceId });
    const ids: string[] = [];
    for (const _ of [1, 2, 3]) ids.push((await waiting(api, listed.createIssue)).id);
    await decide(api, ids[0]!, 'cancel');
  });
  const page = async (query: string, from = api): Promise<any> =>
    (await from.get(`${LIST}?workspaceId=${listed.workspaceId}&${query}`)).body;

  it('shows the newest first, page by page, stable while new ones arrive', async () => {
    const first = await page('limit=2');
    await waiting(api, listed.createIssue);
    const second = await page(`limit=2&cursor=${first.nextCursor}`);
    expect(first.total).toBe(3);
    expect(first.approvals.map(({ status }: any) => status)).toEqual(['pending', 'pending']);
    expect(second).toMatchObject({ approvals: [{ status: 'canceled' }], nextCursor: null });
    expectInvalid(await api.get(`${LIST}?cursor=x`), 'cursor');
  });

  it.each([
    ['status=canceled', 1],
    ['source=sdk', 0],
    ['source=rest', 4],
    ['integrationName=github', 4],
    ['integrationName=http', 0],
    ['actionName=create_issue&status=pending', 3],
  ])('respects %s', async (query, total) => {
    expect(await page(query)).toMatchObject({ total, approvals: { length: total } });
  });

  it('shows a key of single workspaces their requests, and refuses those of others', async () => {
    const inside = await keyWith({ scope: 'workspace', workspaceIds: [listed.workspaceId] });
    const { approvals } = (await inside.get(LIST)).body;
    expect(new Set(approvals.map(({ workspaceId }: any) => workspaceId))).toEqual(new Set([listed.workspaceId]));
    expectError(await inside.get(`${LIST}?workspaceId=${own.workspaceId}`), 403, 'SCOPE_DENIED');
    expectError(await api.get(`${LIST}?workspaceId=${UNKNOWN_ID}`), 404, 'NOT_FOUND');
    expectInvalid(await api.get(`${LIST}?status=open&limit=0`), 'status', 'limit');
  });
});

describe('a request without a decision', () => {
  it('expires: pending → expired, with its event; a retry is refused for the same time again', async () => {
    const asked = call();
    const { id } = await waiting(api, asked);
    await letPass(product.databaseUrl, id, 3_601);
    expectError(await decide(api, id, 'approve'), 409, 'DUPLICATE');
    expect((await approvalOf(api, id)).status).toBe('expired');
    expect(await eventsOf(product.databaseUrl, id)).toEqual(['approval.requested', 'approval.expired']);
    const refused = await execute(asked);
    expectError(refused, 403, 'FORBIDDEN');
    expect(refused.body.details).toEqual({ approvalId: id, reason: 'expired' });
    await letPass(product.databaseUrl, id, 3_600);
    expect((await waiting(api, asked)).id).not.toBe(id);
  });

  it('opens a new request at once if the policy says expire', async () => {
    const lenient = await githubWorkspace(api);
    await newPolicy(api, { workspaceId: lenient.workspaceId, defaultOnTimeout: 'expire', timeoutSeconds: 60 });
    const asked = { ...lenient.createIssue, idempotencyKey: newKey() };
    const { id } = await waiting(api, asked);
    await letPass(product.databaseUrl, id, 61);
    expect((await waiting(api, asked)).id).not.toBe(id);
    expect((await approvalOf(api, id)).status).toBe('expired');
  });

  it('expires even if it is not read', async () => {
    const { id } = await waiting(api, call());
    await letPass(product.databaseUrl, id, 3_601);
    await eventually(async () =>
      expect(await eventsOf(product.databaseUrl, id)).toEqual(['approval.requested', 'approval.expired']),
    );
  });
});

it('limits an organization to 10,000 pending requests', async () => {
  const theirs = await githubWorkspace(product.other);
  await newPolicy(product.other, { workspaceId: theirs.workspaceId });
  const { id } = await eventually(() => waiting(product.other, theirs.createIssue));
  const copies = `INSERT INTO approvals.approval_requests SELECT (jsonb_populate_record(one,
    jsonb_build_object('id', gen_random_uuid(), 'idempotency_key', n))).*
    FROM approvals.approval_requests one, generate_series(1, 9999) n WHERE one.id = $1`;
  await rowsOf(product.databaseUrl, copies, [id.slice(4)]);
  const refused = await product.other.post(EXECUTE, theirs.createIssue);
  expectError(refused, 403, 'QUOTA_EXCEEDED');
  expect(refused.body.details).toEqual({ limit: 10_000, used: 10_000 });
  await rowsOf(
    product.databaseUrl,
    'DELETE FROM approvals.approval_requests WHERE org_id IN (SELECT org_id FROM approvals.approval_requests WHERE id = $1)',
    [id.slice(4)],
  );
});

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

  it('needs another approval after its receipt has expired', async () => {
    const asked = call();
    const id = await approved(asked);
    await letPass(product.databaseUrl, id, 3_601);
    expect((await waiting(api, asked)).id).not.toBe(id);
    expect((await approvalOf(api, id)).status).toBe('approved');
    expect(github.requests).toEqual([]);
  });

  it('needs another approval after its stored response was deleted, 24 h after the run', async () => {
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

  it('runs when no policy needs an approval any longer; its request stays in the history and can be decided', async () => {
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
  // Otherwise a call could run with the previous settings, and later calls would return its stored response instead of 202.
  await untilCachesExpire();
  // The same request now uses another owner's state, so it needs another approval.
  expect((await execute(asked)).status).toBe(202);
  await keepIn(settings.persistence);
  await eventually(async () => expect((await execute(asked)).status).toBe(200));
});

it('reserves the key of a waiting call for that call', async () => {
  const asked = call();
  const { id } = await waiting(api, asked);
  expectInvalid(await execute({ ...asked, input: OTHER }), 'idempotencyKey');
  await decide(api, id, 'reject');
  expect((await waiting(api, { ...asked, input: OTHER })).id).not.toBe(id);
});

// Tests that read the whole list must come before this test, because random ids sort before those of later requests.
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

it('refuses to reuse an approval for another alias or under another policy', async () => {
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
  const { id } = await waiting(api, reused.createIssue);
  expect(await approvalOf(api, id)).toMatchObject({ policyId });
});
