// Shapes: local; in full: processes
import { type Api } from './support/api.js';
import { approvalOf } from './support/approvals.js';
import { fresh } from './support/owned-resources.js';
import { type NotifiedWebhooks, notifiedWebhooks } from './support/notified-webhooks.js';

const DENIED = { code: 'EGRESS_DENIED', message: expect.stringContaining("the gateway's own address") };
const MARKED = { 'x-svc-egress': '1' };

let its: NotifiedWebhooks;
let api: Api;
let own: string;
let id: string;
let page: string;
/** A workspace without a policy. */
let elsewhere: string;
/** The `approval` object in the body that the webhook received. */
let told: Record<string, any>;

beforeAll(async () => {
  its = await notifiedWebhooks({ BASE_URL: '', EGRESS_ALLOW: '127.0.0.1' });
  own = its.product.baseUrl;
  api = await its.newApi();
  const asked = await its.asked(api);
  id = asked.id;
  const { pathname, search } = new URL((await approvalOf(api, id)).hostedApprovalUrl);
  page = pathname + search;
  elsewhere = (await api.post('/api/v1/workspaces', { name: 'W', slug: fresh() })).body.workspace.id;
  const [request] = await its.told(asked.path, 1);
  told = request!.body.approval;
});
afterEach(async () => expect((await approvalOf(api, id)).status).toBe('pending'));
afterAll(() => its?.stop());

/** Sends a request as an agent that reaches the network only through the http integration. Returns the provider's error, or 'sent'. */
async function send(method: string, url: string): Promise<unknown> {
  const call = { integrationName: 'http', actionName: 'send_request', workspaceId: elsewhere, input: { method, url } };
  const { body } = await api.post('/api/v1/actions/execute', call);
  return body.success ? 'sent' : body.details.provider;
}

it.each([
  ['as the request names it', (url: string) => url],
  ['by localhost', (url: string) => url.replace('127.0.0.1', 'LOCALHOST.')],
  ['by a number', (url: string) => url.replace('127.0.0.1', '2130706433')],
  ['by IPv6', (url: string) => url.replace('127.0.0.1', '[::ffff:127.0.0.1]')],
])('an action neither opens nor decides a hosted link %s', async (_how, spelled) => {
  const [open, approve] = [spelled(own + page), spelled(own + page.replace('?', '/approve?'))];
  const answers = [await send('GET', open), await send('POST', approve)];
  // Egress recognizes the gateway by BASE_URL and PORT, and denies the request. In a separate service neither variable is the gateway's address here,
  // so the gateway itself rejects the request by its x-svc-egress header.
  if (its.product.shape === 'local') expect(answers).toMatchObject([DENIED, DENIED]);
  else expect(answers).not.toContain('sent');
});

it.each(['/sign-in', '/connect/portal', '/account', '/oauth/authorize'])(
  'the gateway refuses what an action sends to %s',
  async (path) => {
    expect((await fetch(own + path, { headers: MARKED, redirect: 'manual' })).status).toBe(403);
    expect((await fetch(own + path, { redirect: 'manual' })).status).not.toBe(403);
  },
);

it('the gateway refuses a decision that an action sends, with a key that may decide too', async () => {
  const headers = { ...MARKED, authorization: `Bearer ${its.product.key}` };
  for (const decision of ['approve', 'reject', 'cancel']) {
    const answer = await fetch(`${own}/api/v1/approvals/${id}/${decision}`, { method: 'POST', headers });
    expect([answer.status, await answer.json()]).toMatchObject([403, { details: { reason: 'egress' } }]);
  }
});

it('a webhook contains absolute links even without BASE_URL', () => {
  const { approvalUrl, hostedApprovalUrl, api: links } = told;
  const base = its.product.shape === 'local' ? own : 'http://127.0.0.1:8080';
  for (const url of [approvalUrl, hostedApprovalUrl, ...Object.values<string>(links)])
    expect(url).toContain(`${base}/`);
});
