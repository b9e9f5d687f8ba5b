// Shapes: local
import { verifyWebhook } from '@drawbridge/sdk';
import { type RecordedRequest } from '@drawbridge/testkit';
import { Webhook } from 'standardwebhooks';
import { type Api } from './support/api.js';
import { approvalOf, decide, newKey, newPolicy, waiting } from './support/approvals.js';
import { rowsOf } from './support/database.js';
import { eventually } from './support/eventually.js';
import { expectError, UNKNOWN_ID, TIMESTAMP } from './support/expect.js';
import { type Operations, testsOf } from './support/operation-cases.js';
import { type OwnedResources } from './support/owned-resources.js';
import { databaseContents } from './support/stored-contents.js';
import { type NotifiedWebhooks, notifiedWebhooks } from './support/notified-webhooks.js';
import { hurry, isSigned, LATER, pile } from './support/webhook-receiver.js';

const { afterAll, beforeAll, describe, it } = testsOf(import.meta);

const SECRET = /^whsec_[A-Za-z0-9+/]{43}=$/;

/** Creates a delivery that keeps failing, for an action that no other operation runs. */
async function newDelivery({ api, workspaceId, createIssue }: OwnedResources) {
  const actionNames = ['list_commits'];
  const approvers = [{ type: 'webhook', webhookUrl: 'https://webhook.invalid/' }];
  await newPolicy(api, { workspaceId, actionNames, approvers, priority: 1 });
  const call = { ...createIssue, actionName: 'list_commits', input: { repo: 'acme/app' }, idempotencyKey: newKey() };
  const { id } = await waiting(api, call);
  return eventually(async () => {
    const [delivery] = (await approvalOf(api, id)).webhookDeliveries;
    return { id, deliveryId: delivery.id };
  });
}

export const OPERATIONS: Operations = {
  RotateWebhookSecret: { call: () => ({}) },
  RedeliverWebhook: {
    call: async (own) => ({ path: await newDelivery(own) }),
    ids: { 'path.deliveryId': null },
    // Only a dead letter can be redelivered, and this delivery still has retries.
    refusal: '409 DUPLICATE',
  },
};

let its: NotifiedWebhooks;
/** The API of an organization without a signing secret, and of an organization with a secret. */
let plain: Api;
let signing: Api;

beforeAll(async () => {
  its = await notifiedWebhooks();
  [plain, signing] = [await its.newApi(), await its.newApi()];
});
afterAll(() => its?.stop());

const rotate = async (): Promise<any> => {
  const { status, body } = await signing.post('/api/v1/webhook-secret', {});
  expect({ status, body }).toMatchObject({ status: 201, body: { secret: expect.stringMatching(SECRET) } });
  return body;
};

describe('a receiver', () => {
  it.each([
    ['fails', { status: 500, headers: LATER }, 500],
    ['redirects, which is not followed', { status: 307, headers: { ...LATER, location: '/elsewhere' } }, 307],
    ['hangs up', { reset: true }, null],
  ])('that %s receives the request again, with the same id', async (_what, behaviour, httpStatus) => {
    const { id, path } = await its.asked(plain, {}, behaviour);
    const [failed] = await its.delivered(plain, id, { status: 'retrying', attempt: 1, httpStatus });
    expect(failed).toMatchObject({ errorMessage: expect.any(String), deliveredAt: null });
    its.receiver.on(`POST ${path}`, {});
    await hurry(its.product.databaseUrl);
    await its.delivered(plain, id, { status: 'success', attempt: 2, httpStatus: 200, errorMessage: null });
    const [first, second] = (await its.told(path, 2)) as [RecordedRequest, RecordedRequest];
    expect(second.text).toBe(first.text);
    expect(second.headers['webhook-id']).toBe(first.headers['webhook-id']);
    expect([first, second].map(({ headers }) => headers['x-svc-attempt'])).toEqual(['1', '2']);
    expect(its.receiver.at('/elsewhere')).toEqual([]);
  });

  it('that is gone (410) gets no further request until a redelivery', async () => {
    const { id, path } = await its.asked(plain, {}, { status: 410 });
    const [dead] = await its.delivered(plain, id, { status: 'failed', attempt: 1, httpStatus: 410 });
    its.receiver.on(`POST ${path}`, {});
    const redeliver = (of: string, which = dead.id) =>
      plain.post(`/api/v1/approvals/${of}/deliveries/${which}/redeliver`, {});
    expectError(await redeliver(id, UNKNOWN_ID), 404, 'NOT_FOUND');
    expectError(await redeliver(`apr_${UNKNOWN_ID}`), 404, 'NOT_FOUND');
    expect(await redeliver(id)).toMatchObject({ status: 200, body: { delivery: { id: dead.id, status: 'retrying' } } });
    await its.delivered(plain, id, { id: dead.id, status: 'success', attempt: 2 });
    expectError(await redeliver(id), 409, 'DUPLICATE');
    expect(its.receiver.at(path)).toHaveLength(2);
  });
});

it('delivers again after its process died in each attempt', async () => {
  const { id, path } = await its.asked(plain, {}, { status: 500 });
  const [{ id: deliveryId }] = await its.delivered(plain, id, { status: 'retrying', attempt: 1 });
  const { databaseUrl } = its.product;
  const again = () => plain.post(`/api/v1/approvals/${id}/deliveries/${deliveryId}/redeliver`, {});
  expectError(await again(), 409, 'DUPLICATE');
  const aged = `UPDATE approvals.webhook_deliveries SET updated_at = now() - interval '73 hours' WHERE id = $1`;
  await rowsOf(databaseUrl, aged, [deliveryId]);
  await rowsOf(databaseUrl, 'DELETE FROM approvals_queue.jobs WHERE key = $1', [deliveryId]);
  its.receiver.on(`POST ${path}`, {});
  expect((await again()).status).toBe(200);
  await its.delivered(plain, id, { status: 'success', attempt: 2 });
});

it('delivers webhooks of one organization while the webhooks of another hang', async () => {
  const hostile = await its.newApi();
  let letGo = (): void => undefined;
  its.receiver.on('POST /hung', { until: new Promise<void>((resolve) => (letGo = resolve)) });
  const hung = (n: number): object => ({ type: 'webhook', webhookUrl: its.receiver.hook(`/hung?${n}`) });
  const approvers = Array.from({ length: 10 }, (_, n) => hung(n));
  const { workspaceId } = await its.inWorkspace(hostile, { approvers });
  const ids = [(await eventually(() => waiting(hostile, its.callIn(workspaceId)))).id];
  for (let made = 1; made < 10; made++) ids.push((await waiting(hostile, its.callIn(workspaceId))).id);
  const deliveries = () => Promise.all(ids.map(async (id) => (await approvalOf(hostile, id)).webhookDeliveries));
  await eventually(async () => expect((await deliveries()).flat()).toHaveLength(100));

  const { id } = await its.asked(plain);
  await its.delivered(plain, id, { status: 'success', attempt: 1 });
  const theirs = (await deliveries()).flat();
  expect(theirs.filter(({ status }) => status !== 'pending')).toEqual([]);
  expect(theirs.filter(({ attempt }) => attempt > 0).length).toBeLessThanOrEqual(5);
  letGo();
});

it('drops deliveries above the backlog limit, notifications first, and redelivers them on request', async () => {
  const { databaseUrl } = its.product;
  const crowded = await its.newApi();
  const { id: crowd } = await its.asked(crowded);
  await its.delivered(crowded, crowd, { status: 'success' });
  await pile(databaseUrl, crowd, 10_000);
  expect((await approvalOf(crowded, crowd)).webhookDeliveries).toHaveLength(20);
  const { workspaceId } = await its.inWorkspace(crowded, { decision: 'notify_only' });
  const noted = 'SELECT status, error_message AS why FROM approvals.webhook_deliveries WHERE workspace_id = $1';
  await eventually(async () => {
    expect((await crowded.post('/api/v1/actions/execute', its.callIn(workspaceId))).status).toBe(200);
    const why = 'Too many deliveries of the organization are waiting';
    expect((await rowsOf(databaseUrl, noted, [workspaceId]))[0]).toEqual({ status: 'failed', why });
  });

  const { id } = await its.asked(crowded);
  await its.delivered(crowded, id, { status: 'success' });
  await pile(databaseUrl, crowd, 10_000);
  await decide(crowded, id, 'reject');
  const [dead] = await its.delivered(crowded, id, { status: 'failed', attempt: 0 }, { status: 'success' });
  await rowsOf(databaseUrl, 'DELETE FROM approvals.webhook_deliveries WHERE request_id = $1', [crowd.slice(4)]);
  await crowded.post(`/api/v1/approvals/${id}/deliveries/${dead.id}/redeliver`, {});
  await its.delivered(crowded, id, { id: dead.id, status: 'success', attempt: 1 }, {});
});

it('stops after ten attempts, and starts again at a redelivery', async () => {
  const { id } = await its.asked(plain, {}, { status: 500 });
  const dead = await eventually(async () => {
    await hurry(its.product.databaseUrl);
    const [delivery] = (await approvalOf(plain, id)).webhookDeliveries;
    expect(delivery).toMatchObject({ status: 'failed', attempt: 10, httpStatus: 500 });
    return delivery;
  });
  const again = await plain.post(`/api/v1/approvals/${id}/deliveries/${dead.id}/redeliver`, {});
  expect(again).toMatchObject({ status: 200, body: { delivery: { status: 'retrying', attempt: 10 } } });
  await its.delivered(plain, id, { id: dead.id, status: 'retrying', attempt: 11 });
});

/** Verifies the request with the SDK twice: with all signature headers, and without the standard `webhook-signature` header. */
async function expectVerifiedBySdk({ headers, text }: RecordedRequest, secret: string, isIn: boolean): Promise<void> {
  const { 'webhook-signature': _, ...own } = headers;
  for (const one of [headers, own]) {
    const verified = await verifyWebhook({ headers: one, body: text }, { secret }).catch(({ name }) => name);
    expect(verified).toEqual(isIn ? JSON.parse(text) : 'WebhookVerificationError');
  }
}

describe('a signing secret', () => {
  it('signs in both formats, also with the previous secret for a day after each rotation, and is stored encrypted', async () => {
    const first = await rotate();
    expect(first.previousValidUntil).toBe(null);
    const [before] = (await its.told((await its.asked(signing)).path, 1)) as [RecordedRequest];
    const second = await rotate();
    expect(second.previousValidUntil).toMatch(TIMESTAMP);
    const [after] = (await its.told((await its.asked(signing)).path, 1)) as [RecordedRequest];
    for (const [request, { secret }, isIn] of [
      [before, first, true],
      [before, second, false],
      [after, first, true],
      [after, second, true],
    ] as const) {
      expect(isSigned(request, secret)).toBe(isIn);
      const verify = (): unknown => new Webhook(secret).verify(request.text, request.headers);
      if (isIn) expect(verify).not.toThrow();
      else expect(verify).toThrow();
      await expectVerifiedBySdk(request, secret, isIn);
    }
    const { databaseUrl } = its.product;
    const kept = (await databaseContents(databaseUrl)) + its.product.logs();
    for (const { secret } of [first, second]) expect(kept).not.toContain(secret.slice(6));
    for (let made = 2; made < 10; made++) await rotate();
    expectError(await signing.post('/api/v1/webhook-secret', {}), 429, 'RATE_LIMITED');

    const passed = `UPDATE connections.webhook_secrets SET valid_until = valid_until - interval '24 hours'`;
    await rowsOf(databaseUrl, passed);
    const last = await rotate();
    const [later] = (await its.told((await its.asked(signing)).path, 1)) as [RecordedRequest];
    expect([first, second, last].map(({ secret }) => isSigned(later, secret))).toEqual([false, false, true]);
  });
});
