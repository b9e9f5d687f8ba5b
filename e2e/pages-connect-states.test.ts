// Shapes: local
import { type Page } from 'playwright-core';
import { expectUsable, SCREENS, screenshot } from './support/browser.js';
import { connectProduct, type ConnectProduct, integrationOf } from './support/connect.js';
import { rowsOf } from './support/database.js';
import { goToVendor, titled } from './support/connect-pages.js';
import { type Visitor, visitor } from './support/visitor.js';

let its: ConnectProduct;
let someone: Visitor;

beforeAll(async () => {
  [its, someone] = await Promise.all([connectProduct(), visitor()]);
  its.keys.on('GET /me', ({ headers }) =>
    headers['authorization'] === 'Bearer good'
      ? { body: { account: 'ann' } }
      : { status: 401, body: { message: 'Bad credentials' } },
  );
});
afterAll(async () => {
  await someone?.close();
  await its?.stop();
});
afterEach(() => someone.leave());

const KEYS = 'test-keys';

/** Each state of the page, with the steps in a browser that lead to it. */
const STATES: [string, (page: Page) => Promise<unknown>][] = [
  ['oauth', async (page) => page.goto((await its.open(integrationOf('plain'))).connectUrl)],
  ['form', async (page) => page.goto((await its.open(KEYS)).connectUrl)],
  [
    'form-refused',
    async (page) => {
      await page.goto((await its.open(KEYS)).connectUrl);
      await page.getByLabel('API key or token').fill('bad');
      await page.getByRole('button', { name: 'Connect' }).click();
      await page.getByRole('alert').waitFor();
    },
  ],
  [
    'form-custom-missing',
    async (page) => {
      await page.goto((await its.open(KEYS)).connectUrl);
      await page.getByRole('link', { name: 'Enter the connection details' }).click();
      await page.getByRole('button', { name: 'Connect' }).click();
      await page.getByText('This field is required.').waitFor();
    },
  ],
  [
    'form-basic',
    async (page) => {
      await page.goto((await its.open(KEYS)).connectUrl);
      await page.getByRole('link', { name: 'Use a user name and password' }).click();
    },
  ],
  [
    'done',
    async (page) => {
      await page.goto((await its.open(KEYS)).connectUrl);
      await page.getByLabel('API key or token').fill('good');
      await page.getByRole('button', { name: 'Connect' }).click();
      await titled(page, 'Test Keys is connected');
    },
  ],
  [
    'failed',
    async (page) => {
      await page.goto((await its.open(integrationOf('plain'))).connectUrl);
      await goToVendor(page);
      await page.getByRole('link', { name: 'Deny' }).click();
      await titled(page, 'Test Plain is not connected');
    },
  ],
  [
    'busy',
    async (page) => {
      const { connectUrl, sessionId } = await its.open(KEYS);
      const sql = `UPDATE connections.connect_sessions SET status = 'CONNECTING', updated_at = now() WHERE id = $1`;
      await rowsOf(its.product.databaseUrl, sql, [sessionId]);
      await page.goto(connectUrl);
      await titled(page, 'Connecting');
    },
  ],
  ['elsewhere', (page) => page.goto(`${its.product.baseUrl}/connect/callback?code=c&state=s`)],
  ['over', (page) => page.goto(`${its.product.baseUrl}/connect?token=cst_over`)],
];

describe.each(STATES)('the page "%s"', (name, reach) => {
  it.each(SCREENS)('is usable: %s', async (screen, options) => {
    const page = await someone.open(`${its.product.baseUrl}/sign-in`, options);
    await reach(page);
    await expectUsable(page, `connect-${name}, ${screen}`);
  });
});

it('the page is in German for a German browser', async () => {
  const page = await someone.open((await its.open(KEYS)).connectUrl, { locale: 'de-DE' });
  await titled(page, 'Test Keys verbinden');
  await screenshot(page, 'connect-german');
});
