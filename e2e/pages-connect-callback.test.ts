// Shapes: local
import { type Page } from 'playwright-core';
import { connectProduct, type ConnectProduct, integrationOf, type Opened } from './support/connect.js';
import { goToVendor, titled } from './support/connect-pages.js';
import { rowsOf } from './support/database.js';
import { expectError } from './support/expect.js';
import { type Visitor, visitor } from './support/visitor.js';

const DONE = 'Test Plain is connected';

let its: ConnectProduct;
let someone: Visitor;
let opened: Opened;
let page: Page;
/** The redirect URI to which the provider sends the browser. */
let callback: URL;

beforeAll(async () => ([its, someone] = await Promise.all([connectProduct(), visitor()])));
afterAll(async () => {
  await someone?.close();
  await its?.stop();
});
beforeEach(async () => {
  opened = await its.open(integrationOf('plain'));
  page = await someone.open(opened.connectUrl);
  await goToVendor(page);
  callback = await allowed();
});
afterEach(() => someone.leave());

/** Consents at the provider. Returns the redirect back without following it. */
async function allowed(): Promise<URL> {
  const link = await page.getByRole('link', { name: 'Allow' }).getAttribute('href');
  let url = new URL(link!, page.url());
  while (url.pathname !== '/connect/callback') {
    const { location } = (await page.request.get(url.href, { maxRedirects: 0 })).headers();
    url = new URL(location!, url);
  }
  return url;
}

const changed = (name: string, value: string): string => {
  const url = new URL(callback);
  url.searchParams.set(name, value);
  return url.href;
};
const session = (): Promise<any> => its.session(opened.sessionId);

it('a callback with another state connects nothing, and the user can start again', async () => {
  const { searchParams } = callback;
  await page.goto(changed('state', `${searchParams.get('state')}x`));
  await titled(page, 'A newer attempt has replaced this one');
  expect(await session()).toMatchObject({ status: 'PENDING', connectionId: null });
  await page.getByRole('link', { name: 'Start again' }).click();
  await page.getByRole('button', { name: 'Continue to Test Plain' }).click();
  await titled(page, DONE);
});

it('a callback in another browser connects nothing, although that browser has the link', async () => {
  const stranger = await page.context().browser()!.newPage();
  await stranger.goto(opened.connectUrl);
  await stranger.goto(callback.href);
  await titled(stranger, 'This connection was started in another browser');
  await stranger.close();
  expect(await session()).toMatchObject({ status: 'PENDING', connectionId: null });
  await page.goto(callback.href);
  await titled(page, DONE);
});

it('a repeated callback shows the outcome and sends no token request', async () => {
  await page.goto(callback.href);
  await titled(page, DONE);
  const asked = its.vendors.asked('plain', 'authorization_code');
  await page.goto(callback.href);
  await titled(page, DONE);
  expect(its.vendors.asked('plain', 'authorization_code')).toBe(asked);
});

it('a callback after the session has expired connects nothing', async () => {
  const sql = 'UPDATE connections.connect_sessions SET expires_at = now() WHERE id = $1';
  await rowsOf(its.product.databaseUrl, sql, [opened.sessionId]);
  await page.goto(callback.href);
  await titled(page, 'This link does not work');
  expectError(await its.api.post('/api/v1/connect/session/poll', { token: opened.token }), 401, 'INVALID_TOKEN');
  expect(await session()).toMatchObject({ connectionId: null });
});

it('a callback from another issuer fails the session with the reason', async () => {
  const asked = its.vendors.asked('plain', 'authorization_code');
  await page.goto(changed('iss', 'https://evil.example'));
  await titled(page, 'Test Plain is not connected');
  expect(await session()).toMatchObject({ status: 'FAILED', error: expect.stringContaining('invalid_issuer') });
  expect(its.vendors.asked('plain', 'authorization_code')).toBe(asked);
});
