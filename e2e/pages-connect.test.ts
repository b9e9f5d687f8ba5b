// Shapes: local
import { setTimeout as sleep } from 'node:timers/promises';
import { type FakeProvider, fakeProvider } from '@drawbridge/testkit';
import { build } from 'esbuild';
import { type BrowserContextOptions, type Page } from 'playwright-core';
import { connectProduct, type ConnectProduct, integrationOf, type Opened } from './support/connect.js';
import { expectError } from './support/expect.js';
import { goToVendor, titled } from './support/connect-pages.js';
import { type Dialect, DIALECTS, type Vendor, VENDORS } from './support/vendors/dialects.js';
import { type Visitor, visitor } from './support/visitor.js';

let its: ConnectProduct;
let someone: Visitor;
/** A customer's site. */
let site: FakeProvider;

beforeAll(async () => {
  [its, someone, site] = await Promise.all([connectProduct(), visitor(), fakeProvider()]);
  site.on('*', { headers: { 'content-type': 'text/html' }, body: SITE });
});
afterAll(async () => {
  await someone?.close();
  await its?.stop();
  await site?.stop();
});
afterEach(() => someone.leave());
beforeEach(() => {
  its.keys.reset();
  its.keys.on('GET /me', ({ headers }) =>
    headers['authorization'] === 'Bearer good'
      ? { body: { account: 'ann' } }
      : { status: 401, body: { message: 'Bad credentials' } },
  );
});

const KEYS = 'test-keys';
/** The lifetime of the first access token if the provider issues refresh tokens. */
const LIFETIME_S = 2;
const SITE = `<!doctype html><title>Acme</title><button onclick="open(location.hash.slice(1), 'connect', 'popup')">Connect</button>
  <script>window.told = []; addEventListener('message', ({ origin, data }) => told.push({ origin, data }))</script>`;

const SDK_PAGE = {
  stdin: { contents: "export { openConnect } from '@drawbridge/sdk'", resolveDir: import.meta.dirname },
};

const open = (opened: Opened, options?: BrowserContextOptions): Promise<Page> =>
  someone.open(opened.connectUrl, options);
const heading = (page: Page): Promise<string> => page.getByRole('heading', { level: 1 }).innerText();
const titleOf = (vendor: Vendor): string => `Test ${vendor.charAt(0).toUpperCase()}${vendor.slice(1)}`;

describe.each(VENDORS)('%s', (vendor) => {
  const { refreshes = false }: Dialect = DIALECTS[vendor];
  const connectionOf = async (sessionId: string): Promise<any> => {
    const { connectionId } = await its.session(sessionId);
    return (await its.api.get(`/api/v1/connections?id=${connectionId}`)).body.connection;
  };

  it('is connected in a browser, used, refreshed, revoked and connected again', async () => {
    const integration = integrationOf(vendor);
    if (refreshes) its.vendors.live(vendor, LIFETIME_S);
    const first = await its.open(integration);
    const page = await open(first);
    await goToVendor(page, titleOf(vendor));
    await page.getByRole('link', { name: 'Allow' }).click();
    await titled(page, `${titleOf(vendor)} is connected`);
    expect(page.url()).toBe(`${its.product.baseUrl}/connect/${first.sessionId}`);
    its.vendors.live(vendor, 3_600);
    expect((await its.execute(integration, first.externalId)).status).toBe(200);
    if (refreshes) {
      await sleep(1_100 * LIFETIME_S);
      expect((await its.execute(integration, first.externalId)).status).toBe(200);
    }
    expect(its.vendors.asked(vendor, 'refresh_token')).toBe(refreshes ? 1 : 0);
    await its.vendors.revokeAll(vendor);
    expectError(await its.execute(integration, first.externalId), 400, 'ACTION_FAILED');
    expect(await connectionOf(first.sessionId)).toMatchObject({ status: 'ERROR', error: { code: expect.any(String) } });
    expectError(await its.execute(integration, first.externalId), 400, 'CONNECTION_REQUIRED');
    const again = await its.open(integration, { externalId: first.externalId });
    await page.goto(again.connectUrl);
    await page.getByRole('button', { name: `Continue to ${titleOf(vendor)}` }).click();
    // Some providers request consent again from a user that already consented.
    const allow = page.getByRole('link', { name: 'Allow' });
    await allow.or(page.getByRole('heading', { name: 'is connected' })).waitFor();
    if (await allow.isVisible()) await allow.click();
    await titled(page, `${titleOf(vendor)} is connected`);
    expect(await connectionOf(again.sessionId)).toMatchObject({ status: 'ACTIVE', error: null });
    expect((await its.execute(integration, first.externalId)).status).toBe(200);
  });
});

describe('a popup', () => {
  it('posts the outcome to its opener, across the redirects of the provider', async () => {
    const opened = await its.open(integrationOf('plain'));
    const page = await someone.open(`${site.url}/#${opened.connectUrl}`);
    const [popup] = await Promise.all([page.waitForEvent('popup'), page.getByRole('button').click()]);
    await goToVendor(popup);
    await popup.getByRole('link', { name: 'Allow' }).click();
    const closed = popup.waitForEvent('close');
    await titled(popup, 'Test Plain is connected');
    const { connectionId } = await its.session(opened.sessionId);
    const { externalId } = opened;
    const facts = {
      status: 'COMPLETED',
      connectionId,
      integrationName: integrationOf('plain'),
      externalId,
      error: null,
    };
    const data = { type: 'svc-connect-result', ...facts };
    expect(await page.evaluate('told')).toEqual([{ origin: its.product.baseUrl, data }]);
    await closed;
  });

  it('opened by the SDK resolves with the outcome', async () => {
    const { outputFiles } = await build({ ...SDK_PAGE, bundle: true, write: false, format: 'iife', globalName: 'sdk' });
    const opener = `<!doctype html><title>Acme</title><script>${outputFiles[0]!.text}</script>
      <button onclick="window.outcome = sdk.openConnect({ connectUrl: location.hash.slice(1) })">Connect</button>`;
    site.on('GET /sdk', { headers: { 'content-type': 'text/html' }, body: opener });
    const opened = await its.open(integrationOf('plain'));
    const page = await someone.open(`${site.url}/sdk#${opened.connectUrl}`);
    const [popup] = await Promise.all([page.waitForEvent('popup'), page.getByRole('button').click()]);
    await goToVendor(popup);
    await popup.getByRole('link', { name: 'Allow' }).click();
    const { connectionId } = (await page.evaluate('outcome')) as { connectionId: string };
    expect(await its.session(opened.sessionId)).toMatchObject({ status: 'COMPLETED', connectionId });
  });

  it('is not required: in the same tab the success redirect leads back to the app', async () => {
    const opened = await its.open(integrationOf('plain'), { successRedirectUri: `${site.url}/done` });
    const page = await open(opened);
    await goToVendor(page);
    await page.getByRole('link', { name: 'Allow' }).click();
    await page.waitForURL(`${site.url}/done?**`);
    const { connectionId } = await its.session(opened.sessionId);
    const { searchParams } = new URL(page.url());
    expect(Object.fromEntries(searchParams)).toEqual({ status: 'COMPLETED', connection_id: connectionId });
    const arrived = await site.received(({ url }) => url.startsWith('/done'));
    expect(arrived.headers['referer'] ?? '').not.toContain('/connect');
  });
});

it('a declined consent leads to the error redirect', async () => {
  const opened = await its.open(integrationOf('plain'), { errorRedirectUri: `${site.url}/failed` });
  const page = await open(opened);
  await goToVendor(page);
  await page.getByRole('link', { name: 'Deny' }).click();
  await page.waitForURL(`${site.url}/failed?**`);
  expect(new URL(page.url()).searchParams.get('error')).toBe('access_denied: The person said no');
});

it('the back button lets a user start again, and shows the outcome after the end', async () => {
  const opened = await its.open(integrationOf('plain'));
  const page = await open(opened);
  await goToVendor(page);
  await page.goBack();
  await goToVendor(page);
  await page.getByRole('link', { name: 'Allow' }).click();
  await titled(page, 'Test Plain is connected');
  await page.goto(opened.connectUrl);
  expect(await heading(page)).toBe('Test Plain is connected');
  await page.reload();
  expect(await heading(page)).toBe('Test Plain is connected');
});

it('a form that is sent twice, without scripts, connects once', async () => {
  const opened = await its.open(KEYS);
  const page = await open(opened, { javaScriptEnabled: false });
  await page.getByLabel('API key or token').fill('good');
  await page.getByRole('button', { name: 'Connect' }).dblclick();
  // On a busy machine, the second request waits 5 s for the first one and then links to this page.
  const lookAgain = page.getByRole('link', { name: 'Check again' });
  const connected = page.getByRole('heading', { level: 1, name: 'Test Keys is connected' });
  await connected.or(lookAgain).waitFor();
  if (await lookAgain.isVisible()) await lookAgain.click();
  await connected.waitFor();
  expect(its.keys.requests.filter(({ url }) => url === '/me')).toHaveLength(1);
});
