// Shapes: local; in full: processes
import { type RecordedRequest } from '@drawbridge/testkit';
import { type Api } from './support/api.js';
import { approvalOf, decide, letPass } from './support/approvals.js';
import { findCanaries } from './support/canaries.js';
import { rowsOf } from './support/database.js';
import { eventually } from './support/eventually.js';
import { expectError, expectInvalid, TIMESTAMP, UUID_V7 } from './support/expect.js';
import { databaseContents } from './support/stored-contents.js';
import { type NotifiedWebhooks, notifiedWebhooks } from './support/notified-webhooks.js';
import { hurry, LATER } from './support/webhook-receiver.js';

const BASE_URL = 'https://gateway.example/in/a/folder';

let its: NotifiedWebhooks;
let plain: Api;

beforeAll(async () => {
  its = await notifiedWebhooks({ BASE_URL });
  plain = await its.newApi();
});
afterAll(() => its?.stop());

it('refuses an http address of an approver, although EGRESS_ALLOW lists it', async () => {
  const { workspaceId } = await its.asked(plain);
  const approvers = [{ type: 'webhook', webhookUrl: its.receiver.hook('/x').replace('https:', 'http:') }];
  const answer = await plain.post('/api/v1/approval-policies', { name: 'Plain', workspaceId, approvers });
  expectInvalid(answer, 'approvers[0].webhookUrl');
});

describe('approval.requested', () => {
  it('contains the action, the address of the decision and hidden values; without a secret it is unsigned', async () => {
    const { id, path, workspaceId, call } = await its.asked(plain, { description: 'Ask first' });
    const [{ body, headers, method } = {} as RecordedRequest] = await its.told(path, 1);
    const at = `${BASE_URL}/api/v1/approvals/${id}`;
    const { expiresAt, riskReasons } = await approvalOf(plain, id);
    expect({ method, body }).toEqual({
      method: 'POST',
      body: {
        event: 'approval.requested',
        createdAt: expect.stringMatching(TIMESTAMP),
        approval: {
          ...{ id, status: 'pending', workspaceId, source: 'rest', integrationName: 'http', integrationAlias: null },
          actionName: 'send_request',
          inputPreview: expect.objectContaining({ text: 'hello', headers: { Authorization: '[redacted]' } }),
          redactedPaths: ['headers.Authorization'],
          riskReasons,
          approvalUrl: `${BASE_URL}/approvals/${id}`,
          hostedApprovalUrl: expect.stringContaining(`${BASE_URL}/approvals/${id}?token=apr_link_`),
          api: { detailUrl: at, approveUrl: `${at}/approve`, rejectUrl: `${at}/reject`, cancelUrl: `${at}/cancel` },
          idempotencyKey: call.idempotencyKey,
          expiresAt,
        },
        receipt: null,
      },
    });
    const [delivery] = await its.delivered(plain, id, { status: 'success' });
    expect(delivery).toEqual({
      ...{ id: expect.stringMatching(UUID_V7), eventType: 'approval.requested', callbackUrl: its.receiver.hook(path) },
      ...{ attempt: 1, status: 'success', httpStatus: 200, errorMessage: null },
      ...{ createdAt: expect.stringMatching(TIMESTAMP), deliveredAt: expect.stringMatching(TIMESTAMP) },
    });
    expect(headers).toMatchObject({
      'content-type': 'application/json',
      'x-svc-event': 'approval.requested',
      'x-svc-delivery': delivery.id,
      'x-svc-attempt': '1',
      'x-svc-approval': id,
      'webhook-id': delivery.id,
      'webhook-timestamp': expect.stringMatching(/^\d{10}$/),
    });
    for (const name of ['x-svc-signature', 'x-svc-timestamp', 'webhook-signature'])
      expect(headers[name]).toBe(undefined);
  });

  it.each([
    ['dashboard_only', { hostedApprovalUrl: null, approvalUrl: expect.any(String) }],
    ['hosted_link_only', { hostedApprovalUrl: expect.any(String), approvalUrl: null }],
  ])('has the links that %s allows', async (approvalAccessMode, approval) => {
    const { path } = await its.asked(plain, { approvalAccessMode });
    const [{ body }] = (await its.told(path, 1)) as [RecordedRequest];
    expect(body).toMatchObject({ approval });
  });

  it('is tried no more once the request is decided', async () => {
    const { id, path } = await its.asked(plain, {}, { status: 503, headers: LATER });
    await its.delivered(plain, id, { status: 'retrying', attempt: 1, httpStatus: 503 });
    await decide(plain, id, 'reject');
    await its.delivered(plain, id, { eventType: 'approval.rejected' }, { eventType: 'approval.requested' });
    await hurry(its.product.databaseUrl);
    const [, requested] = await its.delivered(
      plain,
      id,
      { status: 'retrying' },
      {
        status: 'failed',
        attempt: 1,
        errorMessage: 'The request was decided or expired before the webhook was delivered',
      },
    );
    expect(its.receiver.at(path).filter(({ body }) => body.event === 'approval.requested')).toHaveLength(1);
    const again = await plain.post(`/api/v1/approvals/${id}/deliveries/${requested.id}/redeliver`, {});
    expectError(again, 409, 'DUPLICATE');
  });
});

it('uses no attempt while it cannot be signed', async () => {
  const { product } = its;
  const { id, path } = await its.asked(plain, {}, { status: 500, headers: LATER });
  const [{ id: deliveryId }] = await its.delivered(plain, id, { status: 'retrying', attempt: 1 });
  if (!('connections' in product.processes())) return; // in a single process, the connections service cannot be killed alone
  await product.kill('connections');
  its.receiver.on(`POST ${path}`, {});
  const job = `SELECT attempts, error FROM approvals_queue.jobs WHERE task = 'webhook' AND key = $1`;
  await eventually(async () => {
    await hurry(product.databaseUrl);
    const [its] = await rowsOf<object>(product.databaseUrl, job, [deliveryId]);
    expect(its).toEqual({ attempts: 1, error: expect.stringContaining('UNAVAILABLE') });
  });
  await product.restart('connections');
  await hurry(product.databaseUrl);
  await its.delivered(plain, id, { status: 'success', attempt: 2 });
});

it('is not sent after the decision, even if it was being signed', async () => {
  const { product } = its;
  const { id, path } = await its.asked(plain, {}, { status: 503, headers: LATER });
  const [{ id: deliveryId }] = await its.delivered(plain, id, { status: 'retrying', attempt: 1 });
  const { connections } = product.processes();
  if (connections === undefined) return; // in a single process, the connections service cannot be stopped alone
  process.kill(connections, 'SIGSTOP');
  try {
    await hurry(product.databaseUrl);
    const signing = `SELECT id FROM approvals_queue.jobs WHERE task = 'webhook' AND key = $1 AND lease IS NOT NULL`;
    await eventually(async () => expect(await rowsOf(product.databaseUrl, signing, [deliveryId])).toHaveLength(1));
    expect((await decide(plain, id, 'reject')).status).toBe(200);
  } finally {
    process.kill(connections, 'SIGCONT');
  }
  const over = {
    status: 'failed',
    attempt: 1,
    errorMessage: 'The request was decided or expired before the webhook was delivered',
  };
  await its.delivered(plain, id, { eventType: 'approval.rejected' }, over);
  expect(its.receiver.at(path).filter(({ body }) => body.event === 'approval.requested')).toHaveLength(1);
});

describe('what becomes of a request', () => {
  it.each([
    ['approve', 'approved', true],
    ['reject', 'rejected', false],
    ['cancel', 'canceled', false],
  ])('%s: approval.%s; a receipt: %s', async (how, status, hasReceipt) => {
    const { id, path } = await its.asked(plain);
    await its.told(path, 1);
    const { receipt } = (await decide(plain, id, how)).body;
    const [, { body }] = (await its.told(path, 2)) as [unknown, RecordedRequest];
    expect(body).toMatchObject({ event: `approval.${status}`, approval: { id, status } });
    expect(body.receipt).toEqual(hasReceipt ? receipt : null);
  });

  it('approval.expired', async () => {
    const { id, path } = await its.asked(plain);
    await its.told(path, 1);
    await letPass(its.product.databaseUrl, id, 3_601);
    const [, { body }] = (await its.told(path, 2)) as [unknown, RecordedRequest];
    expect(body).toMatchObject({ event: 'approval.expired', approval: { id, status: 'expired' }, receipt: null });
  });

  it('approval.notified: contains no request for a call that does not wait', async () => {
    const { path, workspaceId } = await its.inWorkspace(plain, { decision: 'notify_only' });
    const call = { ...its.callIn(workspaceId), idempotencyKey: undefined };
    const [{ body, headers } = {} as RecordedRequest] = await eventually(async () => {
      expect((await plain.post('/api/v1/actions/execute', call)).status).toBe(200);
      expect(its.receiver.at(path)).not.toEqual([]);
      return its.receiver.at(path);
    });
    expect(headers).toMatchObject({ 'x-svc-event': 'approval.notified' });
    expect(headers).not.toHaveProperty('x-svc-approval');
    expect(body).toEqual({
      event: 'approval.notified',
      createdAt: expect.stringMatching(TIMESTAMP),
      approval: {
        ...{ id: null, status: null, workspaceId, source: 'rest', integrationName: 'http', integrationAlias: null },
        ...{ actionName: 'send_request', inputPreview: null, redactedPaths: [], riskReasons: expect.any(Array) },
        ...{ approvalUrl: null, hostedApprovalUrl: null, api: null, idempotencyKey: null, expiresAt: null },
      },
      receipt: null,
    });
  });
});

it('contains no secret, and the hosted link is not stored', async () => {
  const deliveries = its.receiver.requests.filter(({ headers }) => headers['x-svc-event']);
  const everything = deliveries.map(({ headers, text }) => JSON.stringify(headers) + text).join('\n');
  expect(findCanaries(everything, { secret: its.secret })).toEqual([]);
  expect(everything).toContain('apr_link_');
  const kept = (await databaseContents(its.product.databaseUrl)) + its.product.logs();
  expect(findCanaries(kept, { secret: its.secret })).toEqual([]);
  expect(kept).not.toContain('apr_link_');
});
