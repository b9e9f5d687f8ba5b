// Shapes: local
import { type Page } from 'playwright-core';
import { type Api } from './support/api.js';
import { decide, newKey, newPolicy, waiting } from './support/approvals.js';
import { expectUsable, SCREENS } from './support/browser.js';
import { type Drawbridge, drawbridge } from './support/drawbridge.js';
import { eventually } from './support/eventually.js';
import { type GithubWorkspace, githubWorkspace } from './support/github.js';
import { logo } from './support/logo.js';
import { fillSignIn, type Visitor, visitor } from './support/visitor.js';
import { newPerson, type Person } from './support/web-users.js';

let someone: Visitor;
let product: Drawbridge;
let api: Api;
let own: GithubWorkspace;
let member: Person;

beforeAll(async () => {
  [someone, product] = await Promise.all([visitor(), drawbridge()]);
  ({ api } = product);
  await api.patch('/api/v1/organization', { name: 'Northwind Traders', color: '#0f766e', logo: logo() });
  own = await githubWorkspace(api);
  const rules = { domainDenylist: ['evil.example'], recipientAllowlist: ['@acme.example'] };
  await newPolicy(api, { workspaceId: own.workspaceId, rules, approvers: [{ type: 'end_user' }] });
  await waiting(api, { ...own.createIssue, input: INPUT });
  const { organization } = (await api.get('/api/v1/organization')).body;
  member = await newPerson(product.databaseUrl, { orgId: organization.id, role: 'member' });
});
afterAll(() => someone?.close());
afterEach(() => someone.leave());

const LONG = `${'Analytical-Engine-'.repeat(9)}end`;
const INPUT = {
  repo: 'acme/app',
  title: `See https://docs.evil.example/${LONG}`,
  body: 'First line.\n\nSecond line, https://docs.evil.example/?page=2',
  labels: ['urgent', LONG],
};

async function open(
  options?: Parameters<Visitor['open']>[1],
  input: object = INPUT,
): Promise<{ page: Page; id: string }> {
  const asked = { ...own.createIssue, input, endUserId: 'ada@customer.example', idempotencyKey: newKey() };
  const { id, hostedApprovalUrl } = await waiting(api, asked);
  return { id, page: await someone.open(hostedApprovalUrl, options) };
}

const choose = (page: Page, name: string) => page.getByRole('link', { name: `${name}…` }).click();

async function submit(page: Page, name: string, reason: string): Promise<void> {
  await choose(page, name);
  await page.getByLabel('Reason').fill(reason);
  await page.getByRole('button', { name }).click();
}

/** Each page, with the steps in a browser that lead to it from the page of a pending request. */
const PAGES: [string, (page: Page, id: string) => Promise<unknown>][] = [
  ['approval', async () => undefined],
  ['approval-confirmed', (page) => choose(page, 'Approve')],
  ['approval-too-long', (page) => submit(page, 'Reject', 'x'.repeat(1_001))],
  [
    'approval-late',
    async (page, id) => {
      await choose(page, 'Approve');
      await decide(api, id, 'reject', { reason: 'Not today' });
      await page.getByRole('button', { name: 'Approve' }).click();
      await page.getByRole('alert').waitFor();
    },
  ],
  ['approval-over', (page, id) => page.goto(`/approvals/${id}?token=apr_link_over`)],
  [
    'approval-member',
    async (page, id) => {
      await page.context().clearCookies();
      await page.goto(`/approvals/${id}`);
      await fillSignIn(page, member);
      await page.getByText('You can see this request but not decide it.').waitFor();
    },
  ],
];

describe.each(PAGES)('%s', (name, reach) => {
  it.each(SCREENS)('can be used by everybody: %s', async (screen, options) => {
    const { page, id } = await open(options);
    await reach(page, id);
    await expectUsable(page, `${name}, ${screen}`);
  });
});

it('shows the page in German to a browser that prefers German, and cuts long texts', async () => {
  const { page } = await open({ locale: 'de-DE' }, { ...INPUT, body: 'Line.\n'.repeat(4_000) });
  expect(await page.getByRole('heading', { name: 'Was gesendet wird' }).count()).toBe(1);
  expect(await page.getByText('Alle 24.000 Zeichen zeigen').count()).toBe(1);
  await expectUsable(page, 'approval, german');
});

it('is found by the end user that it asks, on their own page', async () => {
  const { workspaceId, createIssue } = own;
  const person = { workspaceId, externalId: 'grace', displayName: 'Grace' };
  const { endUser } = (await api.post('/api/v1/end-users', person)).body;
  await waiting(api, { ...createIssue, input: INPUT, endUserId: 'grace', idempotencyKey: newKey() });
  const { token } = (await api.post(`/api/v1/end-users/${endUser.id}/connect-token`, {})).body;
  const page = await someone.open(`${product.baseUrl}/connect/portal?token=${token}`, SCREENS[0]![1]);
  await expectUsable(page, 'portal-waiting');
  await page.getByRole('button', { name: 'Review' }).click();
  await page.getByText('Waiting for a decision').waitFor();
  expect(await page.evaluate('document.referrer')).not.toContain('token=');
});

it('keeps the token out of the address, the history, and the reach of scripts', async () => {
  const { page, id } = await open();
  expect(page.url()).toBe(`${product.baseUrl}/approvals/${id}`);
  await choose(page, 'Approve');
  await page.goBack();
  expect(page.url()).toBe(`${product.baseUrl}/approvals/${id}`);
  expect(await page.evaluate('document.cookie + document.referrer')).not.toContain('apr_link_');
});

it('is decided without scripts', async () => {
  const { page } = await open({ javaScriptEnabled: false });
  expect(await page.content()).not.toContain('<script');
  await submit(page, 'Approve', 'Agreed with the customer.');
  expect(await page.getByText('Agreed with the customer.').isVisible()).toBe(true);
});

it.each(SCREENS)('says before anything else that its workspace is suspended: %s', async (screen, options) => {
  const { workspaceId, createIssue } = await githubWorkspace(api);
  await newPolicy(api, { workspaceId });
  const { hostedApprovalUrl } = await waiting(api, createIssue);
  await api.post(`/api/v1/workspaces/${workspaceId}/suspend`);
  const page = await someone.open(hostedApprovalUrl, options);
  await eventually(async () => {
    await page.reload();
    expect(await page.locator('.card').first().innerText()).toContain('is suspended');
  });
  await expectUsable(page, `approval-suspended, ${screen}`);
});
