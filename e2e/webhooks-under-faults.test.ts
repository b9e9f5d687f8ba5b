// Shapes: none; in full: local
import { createHash, createHmac } from 'node:crypto';
import { type ProviderBehaviour, type RecordedRequest } from '@drawbridge/testkit';
import { Webhook } from 'standardwebhooks';
import { type Api } from './support/api.js';
import { decide, newPolicy, waiting } from './support/approvals.js';
import { rowsOf } from './support/database.js';
import { eventually } from './support/eventually.js';
import { fresh } from './support/owned-resources.js';
import { type NotifiedWebhooks, notifiedWebhooks } from './support/notified-webhooks.js';
import { hurry } from './support/webhook-receiver.js';

const WEBHOOKS = 10;
/** The number of approval.requested deliveries. A thousand deliveries take more than a minute, because some receivers hang for 15 s each. */
const DELIVERIES = Number(process.env['DELIVERIES'] ?? 100);

const RETRY_AFTER = 60;
/** Seconds before each attempt after the first, plus or minus 20 %. */
const PAUSES = [5, 300, 1_800, 7_200, 18_000];

const FAULTS: ProviderBehaviour[] = [
  { status: 500 },
  { status: 307, headers: { location: '/elsewhere' } },
  { reset: true },
  { status: 503, headers: { 'retry-after': `${RETRY_AFTER}` } },
  { status: 404, body: 'x'.repeat(100_000) },
];

interface Delivery {
  id: string;
  request: string;
  event: string;
  status: string;
  attempt: number;
}

let its: NotifiedWebhooks;
let api: Api;
let secret: string;

beforeAll(async () => {
  its = await notifiedWebhooks({}); // a product of this file, because the test reads all waiting deliveries
  api = await its.newApi();
  ({ secret } = (await api.post('/api/v1/webhook-secret', {})).body);
  its.receiver.on('*', behave);
});
afterAll(() => its?.stop());

/** Derives the behavior of the receiver from the delivery id: the receiver is gone (410), or fails up to three times in different ways. */
const fateOf = (id: string): { isGone: boolean; faults: ProviderBehaviour[] } => {
  const [kind = 0, first = 0, many = 0] = createHash('sha256').update(id).digest();
  if (DELIVERIES >= 1_000 && kind > 250) return { isGone: false, faults: [{ hang: true }] };
  const faults = FAULTS.map((_, turn) => FAULTS[(first + turn) % FAULTS.length]!);
  return { isGone: kind < 16, faults: faults.slice(0, many % 4) };
};

function behave({ headers }: RecordedRequest): ProviderBehaviour {
  const { isGone, faults } = fateOf(headers['webhook-id']!);
  return isGone ? { status: 410 } : (faults[Number(headers['x-svc-attempt']) - 1] ?? {});
}

const cameTo = ({ id }: { id: string }): RecordedRequest[] =>
  its.receiver.requests.filter(({ headers }) => headers['webhook-id'] === id);

const deliveries = (): Promise<Delivery[]> =>
  rowsOf<Delivery>(
    its.product.databaseUrl,
    `SELECT id, 'apr_' || request_id AS request, event_type AS event, status, attempt FROM approvals.webhook_deliveries`,
  );

interface Waiting {
  id: string;
  attempts: number;
  pause: number;
}

/** Sufficient for a thousand deliveries. */
const AT_REST_MS = 250_000;

/** Waits until no delivery is in progress or due and the receiver has received `many` deliveries. Returns the deliveries that wait for a retry. */
const atRest = (many: number): Promise<Waiting[]> =>
  eventually(async () => {
    const sql = `SELECT key AS id, attempts, extract(epoch FROM due_at - updated_at)::float8 AS pause,
      lease IS NOT NULL OR due_at <= now() AS busy
      FROM approvals_queue.jobs WHERE task = 'webhook' AND NOT is_dead`;
    const jobs = await rowsOf<Waiting & { busy: boolean }>(its.product.databaseUrl, sql);
    expect(jobs.filter(({ busy }) => busy)).toEqual([]);
    expect(await deliveries()).toHaveLength(many);
    return jobs;
  }, AT_REST_MS);

/** Delays all retries by an hour. */
const putOff = (): Promise<unknown> =>
  rowsOf(
    its.product.databaseUrl,
    `UPDATE approvals_queue.jobs SET due_at = now() + interval '1 hour', is_ready = false WHERE lease IS NULL`,
  );

function expectScheduled({ id, attempts, pause }: Waiting): void {
  const asked = fateOf(id).faults[attempts - 1]?.headers?.['retry-after'] === undefined ? 0 : RETRY_AFTER;
  const isHeard = cameTo({ id }).some(({ headers }) => headers['x-svc-attempt'] === `${attempts}`);
  const scheduled = PAUSES[attempts - 1]!;
  expect(pause).toBeGreaterThan(Math.max(scheduled * 0.8, isHeard ? asked : 0) - 1);
  expect(pause).toBeLessThan(Math.max(scheduled * 1.2, asked) + 1);
}

/** Verifies the signature as the contract specifies, and with the library `standardwebhooks`. */
function expectSigned({ headers, text }: RecordedRequest): void {
  const t = headers['x-svc-timestamp']!;
  const hmac = createHmac('sha256', secret).update(`${t}.${text}`).digest('hex');
  expect(headers['x-svc-signature']).toBe(`t=${t},v1=${hmac}`);
  expect(() => new Webhook(secret).verify(text, headers)).not.toThrow();
}

/** Expects that the delivery succeeded once after the failures of its receiver, or failed at a receiver that is gone. */
function expectDelivered(delivery: Delivery, isCut: boolean): void {
  const { id, event, status, attempt } = delivery;
  const { isGone, faults } = fateOf(id);
  const came = cameTo(delivery);
  if (!isCut) {
    expect({ id, event, status }).toEqual({ id, event, status: isGone ? 'failed' : 'success' });
    expect(attempt).toBeGreaterThanOrEqual(isGone ? 1 : faults.length + 1);
    expect(came.length).toBeGreaterThanOrEqual(1);
  }
  if (isGone) expect(came.length).toBeLessThanOrEqual(1);
  // An attempt also counts if a pooled connection closed before the request arrived, so there can be fewer requests than attempts.
  expect(came.length).toBeLessThanOrEqual(attempt);
  expect(came.filter(({ headers }) => headers['x-svc-delivery'] !== id)).toEqual([]);
  expect(new Set(came.map(({ text, url }) => url + text)).size).toBeLessThanOrEqual(1);
  for (const request of came) expectSigned(request);
}

/** Makes calls that need approval. Each call notifies ten webhooks. */
async function ask(): Promise<string[]> {
  const { workspace } = (await api.post('/api/v1/workspaces', { name: 'W', slug: fresh() })).body;
  const named = (n: number): object => ({ type: 'webhook', webhookUrl: its.receiver.hook(`/${n}`) });
  await newPolicy(api, {
    workspaceId: workspace.id,
    approvers: Array.from({ length: WEBHOOKS }, (_, n) => named(n)),
  });
  const ids: string[] = [];
  while (ids.length < DELIVERIES / WEBHOOKS) ids.push((await waiting(api, its.callIn(workspace.id))).id);
  return ids;
}

it('each event is delivered at least once, with one id, signed and on schedule, and not after the decision', async () => {
  const asked = await ask();
  (await atRest(DELIVERIES)).forEach(expectScheduled);
  await putOff();
  await atRest(DELIVERIES);
  const decided = asked.filter((_, index) => index % 2 === 0);
  for (const id of decided) expect((await decide(api, id, 'approve')).status).toBe(200);
  const isCut = ({ request, event }: Delivery): boolean => event === 'approval.requested' && decided.includes(request);
  const cut = (await deliveries()).filter(isCut).map((delivery) => ({ delivery, before: cameTo(delivery).length }));

  await hurry(its.product.databaseUrl);
  const many = DELIVERIES + decided.length * WEBHOOKS;
  for (let left = await atRest(many); left.length > 0; left = await atRest(many)) {
    left.forEach(expectScheduled);
    await hurry(its.product.databaseUrl);
  }
  expect(its.receiver.at('/elsewhere')).toEqual([]);
  for (const delivery of await deliveries()) expectDelivered(delivery, isCut(delivery));
  for (const { delivery, before } of cut) expect(cameTo(delivery)).toHaveLength(before);
});
