// Shapes: local
import { type FakeProvider } from '@drawbridge/testkit';
import { type Answer, type Api } from './support/api.js';
import { approvalOf, decide, eventsOf, newKey, newPolicy, waiting } from './support/approvals.js';
import { type Drawbridge, drawbridge } from './support/drawbridge.js';
import { eventually } from './support/eventually.js';
import { expectError, TIMESTAMP } from './support/expect.js';
import { type GithubWorkspace, githubWorkspace } from './support/github.js';
import { type Operations, testsOf } from './support/operation-cases.js';
import { type OwnedResources } from './support/owned-resources.js';
import { provider } from './support/provider.js';

const { afterAll, afterEach, beforeAll, describe, it } = testsOf(import.meta);

const EXECUTE = '/api/v1/actions/execute';

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
  return (await eventually(() => waiting(api, comment))).id;
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
  await eventually(() => waiting(api, own.createIssue));
});
afterEach(() => github.reset());
afterAll(() => github.stop());

const call = (changes: object = {}): object => ({ ...own.createIssue, idempotencyKey: newKey(), ...changes });
const execute = (asked: object, headers?: Record<string, string>): Promise<Answer> => api.post(EXECUTE, asked, headers);

describe('a call that waits', () => {
  it('is answered 202 with where it is decided, and nothing is sent: none → pending, event approval.requested', async () => {
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

  it('is given a key where it has none, and waits on under it', async () => {
    const { id, retry } = await waiting(api, own.createIssue);
    expect(retry.idempotencyKey).not.toBe('');
    expect((await waiting(api, { ...own.createIssue, ...retry })).id).toBe(id);
    expect((await waiting(api, own.createIssue)).id).not.toBe(id);
  });

  it('is the same 202 for the same request and key', async () => {
    const asked = call();
    expect((await execute(asked)).body).toEqual((await execute(asked)).body);
  });

  it('is shown to who decides, with what the action gets and without what is secret', async () => {
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

  it('never shows the credential that it would use, though it stands in the input', async () => {
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
    'is made once: %s after it is 409 with the approval as it is',
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
