// Shapes: none; in full: processes
import { type Answer, type Api } from './support/api.js';
import { rowsOf } from './support/database.js';
import { eventually } from './support/eventually.js';
import { expectError } from './support/expect.js';
import { expectWithinASecond } from './support/expect-within.js';
import { type Enabled, type NotifiedTriggers, notifiedTriggers } from './support/notified-triggers.js';
import { asStripe } from './support/trigger-vendors.js';
import { hurry, LATER } from './support/webhook-receiver.js';

const PAID = { integrationName: 'stripe', triggerName: 'event', input: { events: ['invoice.paid'] } };
const ISSUES = { integrationName: 'github', triggerName: 'new_issue', input: { repo: 'acme/app' } };

let its: NotifiedTriggers;
let api: Api;
let sent = 0;

beforeAll(async () => {
  its = await notifiedTriggers();
  api = await its.newApi();
  its.vendors.on('GET /repos/acme/app/issues', { body: [] });
});
afterAll(() => its?.stop());

function happen({ hook }: Enabled, id = `evt_${++sent}`): Promise<Answer> {
  const text = JSON.stringify({ id, object: 'event', type: 'invoice.paid' });
  return its.send(hook, text, asStripe(text));
}

const change = async ({ workspaceId }: Enabled, how: 'suspend' | 'resume'): Promise<void> =>
  expect(await api.post(`/api/v1/workspaces/${workspaceId}/${how}`)).toMatchObject({ status: 200 });

function expectSuspended(answer: Answer): void {
  expectError(answer, 403, 'FORBIDDEN');
  expect(answer.body.details).toEqual({ reason: 'suspended' });
}

const due = (source: Enabled): Promise<unknown> =>
  rowsOf(its.product.databaseUrl, 'UPDATE triggers.sources SET poll_at = now() WHERE id = $1', [source.id]);
const polls = (): number => its.vendors.requests.filter(({ url }) => url.startsWith('/repos/acme/app/issues')).length;
const isHeld = async (table: string, source: string, id: string): Promise<void> =>
  eventually(async () => {
    const held = await rowsOf(its.product.databaseUrl, `SELECT held FROM triggers.${table} WHERE ${source} = $1`, [id]);
    expect(held).toEqual([{ held: true }]);
  });

it('events of a suspended workspace are refused, and stored ones are delivered after it is resumed', async () => {
  const source = await its.enabled(api, PAID);
  its.receiver.on(`POST ${source.path}`, { status: 500, headers: LATER });
  expect((await happen(source)).status).toBe(200);
  const [{ id }] = await its.delivered(api, source.id, { status: 'retrying', attempt: 1 });
  await change(source, 'suspend');
  // The suspension takes effect within a second. Events that are accepted before that are delivered as usual.
  await expectWithinASecond(async () => expectSuspended(await happen(source, `evt_${sent}`)));
  expectError(await its.send(source.hook, '{}'), 401, 'UNAUTHENTICATED');
  its.receiver.on(`POST ${source.path}`, {});
  await hurry(its.product.databaseUrl, 'triggers');
  await isHeld('deliveries', 'source_id', source.id);
  const deliveries = `/api/v1/triggers/${source.id}/deliveries`;
  expectSuspended(await api.get(deliveries));
  expectSuspended(await api.post(`${deliveries}/${id}/redeliver`, {}));
  expect(its.receiver.at(source.path)).toHaveLength(1);

  await change(source, 'resume');
  await its.callbacks(source.path, 2);
  await its.delivered(api, source.id, { id, status: 'success', attempt: 2 });
  await expectWithinASecond(async () => expect((await happen(source, 'evt_later')).status).toBe(200));
  await its.callbacks(source.path, 3);
});

it('a suspended workspace is not polled, and is polled at once after it is resumed', async () => {
  const source = await its.enabled(api, ISSUES);
  const before = polls();
  await change(source, 'suspend');
  await expectWithinASecond(async () => expectSuspended(await api.get(`/api/v1/triggers/${source.id}/deliveries`)));
  await due(source);
  await isHeld('sources', 'id', source.id);
  expect(polls()).toBe(before);
  await change(source, 'resume');
  await eventually(async () => expect(polls()).toBeGreaterThan(before));
  const [row] = await rowsOf(
    its.product.databaseUrl,
    `SELECT failures, held, poll_at < now() + interval '5 minutes' AS soon FROM triggers.sources WHERE id = $1`,
    [source.id],
  );
  expect(row).toEqual({ failures: 0, held: false, soon: true });
});
