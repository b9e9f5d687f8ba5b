// Shapes: local
import { type Page } from 'playwright-core';
import { type Api } from './support/api.js';
import { expectUsable, SCREENS } from './support/browser.js';
import { rowsOf } from './support/database.js';
import { type Drawbridge, drawbridge } from './support/drawbridge.js';
import { logo } from './support/logo.js';
import { type Visitor, visitor } from './support/visitor.js';
import { newConnection, newIntegration, newWorkspace } from './support/workspace-integrations.js';

let someone: Visitor;
let product: Drawbridge;
let api: Api;
let made = 0;

beforeAll(async () => {
  [someone, product] = await Promise.all([visitor(), drawbridge()]);
  ({ api } = product);
  await api.patch('/api/v1/organization', { name: 'Northwind Traders', color: '#0f766e', logo: logo() });
});
afterAll(() => someone?.close());
afterEach(() => someone.leave());

/** Creates a link of an end user with connections in every state, or without connections. */
async function link(names: string[] = []): Promise<string> {
  const workspaceId = await newWorkspace(api);
  for (const integrationName of ['github', 'http'])
    await newIntegration(api, workspaceId, { integrationName, connectionStrategy: 'per_user' });
  const externalId = `ada-${++made}`;
  const person = { workspaceId, externalId, displayName: 'Ada Lovelace' };
  const { endUser } = (await api.post('/api/v1/end-users', person)).body;
  for (const displayName of names) {
    const id = await newConnection(api, { workspaceId, endUserId: externalId, scope: 'USER', displayName });
    if (displayName === 'Paused') await api.post(`/api/v1/connections/${id}/suspend`);
    const refused = `UPDATE connections.connections SET status = 'ERROR' WHERE id = $1`;
    if (displayName === 'Refused') await rowsOf(product.databaseUrl, refused, [id]);
  }
  return (await api.post(`/api/v1/end-users/${endUser.id}/connect-token`, {})).body.connectUrl;
}

/** Matches the URL of a link's page. */
const OWN = /\/connect\/portal\/[0-9a-f-]{36}$/;
const LONG = `${'Analytical-Engine-'.repeat(9)}.example`;
const ALL = [LONG, 'Paused', 'Refused', "Ada's GitHub"];
const disconnect = (page: Page) => page.getByRole('link', { name: 'Disconnect GitHub' }).first();

/** Each page, with the connections of the end user and the steps in a browser that lead to it. */
const PAGES: [string, string[], (page: Page) => Promise<unknown>][] = [
  ['portal', ALL, async () => undefined],
  ['portal-nothing', [], async () => undefined],
  ['portal-disconnect', [LONG], (page) => disconnect(page).click()],
  [
    'portal-done',
    ["Ada's GitHub"],
    async (page) => {
      await disconnect(page).click();
      await page.getByRole('button', { name: 'Disconnect' }).click();
      expect(await page.getByRole('status').innerText()).toBe('Disconnected.');
    },
  ],
  ['portal-over', [], (page) => page.goto('/connect/portal?token=over')],
];

describe.each(PAGES)('%s', (name, names, reach) => {
  it.each(SCREENS)('is usable: %s', async (screen, options) => {
    const page = await someone.open(await link(names), options);
    await reach(page);
    await expectUsable(page, `${name}, ${screen}`);
  });

  it('is the same without scripts', async () => {
    const page = await someone.open(await link(names), { javaScriptEnabled: false });
    await reach(page);
    expect(await page.content()).not.toContain('<script');
    expect(await page.getByRole('heading', { level: 1 }).count()).toBe(1);
  });
});

it('the portal is fully in German for a German browser', async () => {
  const page = await someone.open(await link(ALL), { locale: 'de-DE' });
  expect(await page.getByRole('heading', { level: 1 }).innerText()).toBe('Ihre Verbindungen');
  expect(await page.locator('html').getAttribute('lang')).toBe('de');
  await expectUsable(page, 'portal, german');
});

it('the token is kept out of the address, the history and the reach of scripts', async () => {
  const url = await link(ALL);
  const page = await someone.open(url);
  expect(page.url()).toMatch(OWN);
  await disconnect(page).click();
  await page.goBack();
  expect(page.url()).toMatch(OWN);
  expect(await page.evaluate('document.cookie + document.referrer')).not.toContain('eut_');
});
