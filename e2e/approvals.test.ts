// Shapes: local
import { approvalOf, eventsOf, newKey, newPolicy, waiting } from './support/approvals.js';
import { eventually } from './support/eventually.js';
import { TIMESTAMP } from './support/expect.js';
import { githubWorkspace } from './support/github.js';
import {
  api,
  call,
  execute,
  github,
  keyWith,
  openGuardedWorkspace,
  own,
  product,
} from './support/guarded-workspace.js';
import { type Operations, testsOf } from './support/operation-cases.js';
import { type OwnedResources } from './support/owned-resources.js';

const { afterAll, afterEach, beforeAll, describe, it } = testsOf(import.meta);

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

beforeAll(openGuardedWorkspace);
afterEach(() => github.reset());
afterAll(() => github.stop());

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

it('shows its hosted link to users who can decide and to keys that can execute, but not to readers', async () => {
  const { id, hostedApprovalUrl } = await waiting(api, call());
  const reading = { scope: 'org', grants: ['approvals.read'] };
  const linksTo = async (permissions: object) => {
    const theirs = await keyWith(permissions);
    const { approvals } = (await theirs.get('/api/v1/approvals')).body;
    const listed = approvals.find((one: any) => one.id === id);
    return [(await approvalOf(theirs, id)).hostedApprovalUrl, listed.hostedApprovalUrl];
  };
  const both = [hostedApprovalUrl, hostedApprovalUrl];
  expect(await linksTo({ scope: 'org' })).toEqual(both);
  expect(await linksTo({ ...reading, grants: ['approvals.read', 'actions.execute'] })).toEqual(both);
  expect(await linksTo({ ...reading, approvals: { decide: true } })).toEqual(both);
  expect(await linksTo(reading)).toEqual([null, null]);
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
