// Shapes: none; in full: local
import { type Product } from '@drawbridge/testkit';
import { type Api, apiOf } from './support/api.js';
import { decide, newKey, newPolicy, waiting } from './support/approvals.js';
import { canary, findCanaries } from './support/canaries.js';
import { rowsOf } from './support/database.js';
import { eventually } from './support/eventually.js';
import { type MailServer, mailServer, type Received } from './support/mail-server.js';
import { newOrganization } from './support/organizations.js';
import { fresh } from './support/owned-resources.js';
import { productWithFakes } from './support/product-with-fakes.js';
import { databaseContents } from './support/stored-contents.js';
import { hurry, webhookReceiver, type WebhookReceiver } from './support/webhook-receiver.js';

const BASE_URL = 'https://drawbridge.example/in/a/folder';
/** A secret in each call's input. Emails must not contain it. */
const input = canary();

let mail: MailServer;
let receiver: WebhookReceiver;
let product: Product;
let api: Api;
let owner: { id: string; email: string };

beforeAll(async () => {
  mail = await mailServer();
  const smtp = { SMTP_URL: `smtp://${mail.host}`, MAIL_FROM: 'no-reply@acme.example' };
  const its = await productWithFakes({ env: { ...smtp, BASE_URL } });
  ({ product } = its);
  receiver = await webhookReceiver(its.ports);
  const made = await newOrganization(product.databaseUrl);
  api = apiOf(product.baseUrl, made.plainKey);
  ({ owner } = made);
});
afterAll(async () => {
  await product?.stop();
  await mail.stop();
  await receiver.stop();
});
beforeEach(() => void mail.received.splice(0));

const sentTo = (email: string): Received[] => mail.received.filter(({ to }) => to.includes(email));

const arrived = (email: string, times = 1): Promise<Received[]> =>
  eventually(async () => {
    expect(sentTo(email)).toHaveLength(times);
    return sentTo(email);
  });

/** Waits until no email or webhook job of an approval request is queued. */
const settled = (id: string): Promise<unknown> =>
  eventually(async () => {
    const left = `SELECT key FROM approvals_queue.jobs WHERE key LIKE '%' || $1 || '%'`;
    expect(await rowsOf(product.databaseUrl, left, [id.slice(4)])).toEqual([]);
  });

/** Makes a call that waits for these approvers. If there is an email address, the call is made on behalf of an end user. */
async function asked(approvers: object[], fields: object = {}, email?: string): Promise<string> {
  const [slug, externalId] = [fresh(), fresh()];
  const { workspace } = (await api.post('/api/v1/workspaces', { name: 'W', slug })).body;
  if (email) await api.post('/api/v1/end-users', { workspaceId: workspace.id, externalId, email });
  await newPolicy(api, { workspaceId: workspace.id, approvers, ...fields });
  const call = {
    ...{ workspaceId: workspace.id, integrationName: 'http', actionName: 'send_request', idempotencyKey: newKey() },
    ...(email && { endUserId: externalId }),
    input: { method: 'POST', url: 'https://api.example.com/', text: input.text },
  };
  return (await waiting(api, call)).id;
}

const OWNERS = { type: 'org_role', roles: ['owner'] };
const hostedLinkOf = (id: string): string => `${BASE_URL}/approvals/${id}?token=apr_link_`;

it.each([
  ['of a role', () => [OWNERS]],
  ['who is named', () => [{ type: 'dashboard_user', userIds: [owner.id] }]],
  ['both, once', () => [OWNERS, { type: 'dashboard_user', userIds: [owner.id] }]],
])('mails a member %s, with the link that requires a sign-in', async (_who, approvers) => {
  const id = await asked(approvers());
  const [{ raw, text }] = (await arrived(owner.email)) as [Received];
  expect(raw).toMatch(/Subject: Approve: Send request in HTTP\?/);
  expect(raw).toMatch(/Message-ID: <approval\.[0-9a-f]{32}@acme\.example>/);
  expect(text.split('\r\n')).toContain(`Review and decide: ${BASE_URL}/approvals/${id}`);
  expect(text).not.toContain('apr_link_');
});

it('mails the hosted link if the policy allows only that one, and stores it nowhere', async () => {
  const id = await asked([OWNERS], { approvalAccessMode: 'hosted_link_only' });
  const [{ text }] = (await arrived(owner.email)) as [Received];
  expect(text).toContain(hostedLinkOf(id));
  expect(text).toContain('Anyone with this link can decide');
  const kept = (await databaseContents(product.databaseUrl)) + product.logs();
  expect(kept).not.toContain('apr_link_');
  const everything = mail.received.map(({ raw }) => raw).join('\n') + text;
  expect(findCanaries(everything, { input })).toEqual([]);
});

it('mails the hosted link to an end user with an email, unless the policy disables hosted links', async () => {
  const shut = `${fresh()}@example.com`;
  const shown = await asked([{ type: 'end_user' }, OWNERS], { approvalAccessMode: 'dashboard_only' }, shut);
  await arrived(owner.email);
  await settled(shown);
  const email = `${fresh()}@example.com`;
  const id = await asked([{ type: 'end_user' }], {}, email);
  const [{ text }] = (await arrived(email)) as [Received];
  expect(text).toContain(hostedLinkOf(id));
  expect(sentTo(shut)).toEqual([]);
});

it('does not write to an unverified address', async () => {
  const prove = 'UPDATE members.users SET email_verified = $2 WHERE id = $1';
  await rowsOf(product.databaseUrl, prove, [owner.id, false]);
  const email = `${fresh()}@example.com`;
  const id = await asked([OWNERS, { type: 'end_user' }], {}, email);
  await arrived(email);
  await settled(id);
  expect(sentTo(owner.email)).toEqual([]);
  await rowsOf(product.databaseUrl, prove, [owner.id, true]);
});

it('sends no mail about a request twice, even if the task that finds the approvers ended early', async () => {
  const id = await asked([OWNERS]);
  await arrived(owner.email);
  await settled(id);
  const again = `INSERT INTO approvals_queue.jobs (task, key, org_id, target, payload, due_at, is_ready)
    SELECT 'askPeople', id, org_id, '*', json_build_object('id', id, 'orgId', org_id), now(), true
    FROM approvals.approval_requests WHERE id = $1`;
  await rowsOf(product.databaseUrl, again, [id.slice(4)]);
  await settled(id);
  expect(sentTo(owner.email)).toHaveLength(1);
});

/** Records emails to this address as sent today, by the organization or by another organization. */
const mailed = (email: string, times: number, isStranger = false): Promise<unknown> =>
  rowsOf(
    product.databaseUrl,
    `INSERT INTO approvals.sent_mails (id, org_id, email)
    SELECT gen_random_uuid(), CASE WHEN $3 THEN gen_random_uuid() ELSE org_id END, $1
    FROM generate_series(1, $2::int), (SELECT org_id FROM approvals.approval_policies LIMIT 1) own`,
    [email, times, isStranger],
  );

it('skips recipients above their daily limit, which is lower for end users, per organization and in total', async () => {
  const emails = Array.from({ length: 3 }, () => `${fresh()}@example.com`);
  const [often = '', known = '', flooded = ''] = emails;
  await mailed(often, 20);
  await mailed(known, 19);
  await mailed(flooded, 100, true);
  await mailed(owner.email, 100, true);
  for (const [before, email] of emails.entries()) {
    const id = await asked([OWNERS, { type: 'end_user' }], {}, email);
    await arrived(owner.email, before + 1);
    await settled(id);
  }
  expect(emails.map((email) => sentTo(email).length)).toEqual([0, 1, 0]);
  expect(product.logs()).toContain('emails about an approval were not sent');
});

it('is not sent once the request is decided', async () => {
  mail.behave('refuses');
  const before = mail.attempts();
  const id = await asked([OWNERS]);
  await eventually(async () => expect(mail.attempts()).toBeGreaterThan(before));
  const left = `SELECT payload FROM approvals_queue.jobs WHERE task = 'approvalMail' AND key LIKE $1 || '%'`;
  const [job] = await rowsOf<{ payload: string }>(product.databaseUrl, left, [id.slice(4)]);
  expect(job!.payload).not.toContain(owner.email);
  await decide(api, id, 'reject');
  mail.behave('takes');
  await eventually(async () => {
    await hurry(product.databaseUrl);
    expect(await rowsOf(product.databaseUrl, left, [id.slice(4)])).toEqual([]);
  });
  expect(sentTo(owner.email)).toEqual([]);
});

it('sends webhooks of an organization while its mail server does not answer', async () => {
  mail.behave('hangs');
  const [before, path] = [mail.attempts(), `/${fresh()}`];
  for (const _one of Array(6)) await asked([OWNERS]);
  await eventually(async () => expect(mail.attempts()).toBeGreaterThan(before));
  await asked([{ type: 'webhook', webhookUrl: receiver.hook(path) }]);
  await eventually(async () => expect(receiver.at(path)).toHaveLength(1));
  // The mail server does not respond, so the two concurrent emails of the organization occupy its slots and no third email starts.
  expect(mail.attempts() - before).toBeLessThanOrEqual(2);
  mail.behave('takes');
});
