// Shapes: local
import { apiOf } from './support/api.js';
import { approvalOf, decide, eventsOf, letPass, newKey, newPolicy, waiting } from './support/approvals.js';
import { eventually } from './support/eventually.js';
import { expectError, expectInvalid, TIMESTAMP, UNKNOWN_ID } from './support/expect.js';
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

const LIST = '/api/v1/approvals';

beforeAll(openGuardedWorkspace);
afterEach(() => github.reset());
afterAll(() => github.stop());

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

  it.each(['approve', 'reject', 'cancel'])('to %s needs no body', async (how) => {
    const { id } = await waiting(api, call());
    const { status, body } = await api.post(`${LIST}/${id}/${how}`);
    expect({ status, body }).toMatchObject({ status: 200, body: { approval: { id, decisionReason: null } } });
  });
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
