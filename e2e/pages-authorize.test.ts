// Shapes: local
import { hashToken } from '@drawbridge/contracts';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { type Page } from 'playwright-core';
import { type AuthorizePages, authorizePages, click, whereLed } from './support/authorize-pages.js';
import { expectUsable, SCREENS } from './support/browser.js';
import { rowsOf } from './support/database.js';
import { eventually } from './support/eventually.js';
import { register } from './support/oauth.js';
import { keptInMemory, type Listening, listening } from './support/oauth-programs.js';
import { revoke } from './support/oauth-stage.js';
import { fillSignIn, type Visitor, visitor } from './support/visitor.js';
import { newConnection, newIntegration } from './support/workspace-integrations.js';
import { newPerson } from './support/web-users.js';

/** The name of a client that imitates another product. */
const NAME = `Claude <b>for</b> Northwind\u202e ${'Assistant'.repeat(9)}`;

let someone: Visitor;
let at: AuthorizePages;
let its: AuthorizePages['its'];
let program: Listening;

beforeAll(async () => {
  [someone, at] = await Promise.all([visitor(), authorizePages(NAME)]);
  ({ its, program } = at);
});
afterAll(async () => {
  await someone?.close();
  await at?.stop();
});
beforeEach(() => {
  program.heard.length = 0;
  program.onward = undefined;
});
afterEach(() => someone.leave());

/** Each page, with the steps in a browser that lead to it from the client's authorization request. */
const PAGES: [string, (page: Page) => Promise<unknown>][] = [
  ['authorize-who', async () => undefined],
  ['authorize', (page) => at.signedIn(page)],
  ['authorize-unknown', async (page) => at.signedIn(page, await newPerson(its.product.databaseUrl))],
  ['authorize-proven', (page) => at.proven(page)],
  ['authorize-code', (page) => at.mailed(page)],
  ['authorize-code-wrong', (page) => at.mistyped(page)],
  ['authorize-client', (page) => page.goto(at.asks({ client_id: 'unknown' }))],
  ['authorize-redirect', (page) => page.goto(at.asks({ redirect_uri: 'https://evil.example/' }))],
  [
    'authorize-open',
    async (page) => {
      const open = await its.newScene({ endUserAccess: 'open', mode: 'CODE', name: 'Helpdesk of Northwind' });
      await page.goto(at.asks({}, open));
      await at.signedIn(page, await newPerson(its.product.databaseUrl));
    },
  ],
];

describe.each(PAGES)('%s', (name, reach) => {
  it.each(SCREENS)('is usable: %s', async (screen, options) => {
    const page = await someone.open(at.asks(), options);
    await reach(page);
    await expectUsable(page, `${name}, ${screen}`);
  });
});

it('the pages are fully in German for a German browser', async () => {
  const page = await someone.open(at.asks(), { locale: 'de-DE' });
  await expectUsable(page, 'authorize-who, german');
  await page.getByRole('link', { name: 'Anmelden' }).click();
  await page.getByLabel('E-Mail').fill(at.ada.email);
  await page.getByLabel('Passwort').fill(at.ada.password);
  await page.getByRole('button', { name: 'Anmelden', exact: true }).click();
  await page.getByRole('button', { name: 'Zulassen', exact: true }).waitFor();
  await expectUsable(page, 'authorize, german');
});

it("the page shows the client's metadata as text, and its redirect host", async () => {
  const page = await someone.open(at.asks());
  const text = await page.locator('.card').first().innerText();
  for (const said of ['Claude <b>for</b> Northwind⟨U+202E⟩', new URL(program.redirectUri).host])
    expect(text).toContain(said);
});

it('the page lists tools with their effects and accounts to a known user, before the decision', async () => {
  const connectionId = await newConnection(its.api, { displayName: 'Northwind bot \u202e' });
  const uses = { integrationName: 'github', alias: 'code', connectionStrategy: 'fixed', connectionId };
  await newIntegration(its.api, its.workspaceId, uses);
  const page = await someone.open(at.asks());
  const main = page.locator('main');
  expect(await main.innerText()).not.toContain('only reads');
  expect(await main.locator('.button, button').allInnerTexts()).toEqual(['Sign in', 'Email me a code', 'Deny']);
  await at.signedIn(page);
  for (const said of ['(hash)', 'Without an account', 'writes', 'With the account Northwind bot ⟨U+202E⟩'])
    expect(await main.innerText()).toContain(said);
  expect((await main.locator('button').allInnerTexts()).slice(0, 2)).toEqual(['Allow', 'Deny']);
});

it('the page separates its cards, and shows both sign-in options equally wide', async () => {
  const page = await someone.open(at.asks());
  const [consent, who] = await Promise.all(
    [0, 1].map(async (n) => (await page.locator('.card').nth(n).boundingBox())!),
  );
  expect(who!.y - consent!.y - consent!.height).toBeGreaterThan(8);
  const ways = [page.getByRole('link', { name: 'Sign in' }), page.getByRole('button', { name: 'Email me a code' })];
  const [signIn, mail] = await Promise.all(ways.map(async (one) => (await one.boundingBox())!.width));
  expect(signIn).toBe(mail);
});

describe('a user', () => {
  it.each([true, false])(
    'signs in, allows, and is redirected to the client; with scripts: %s',
    async (javaScriptEnabled) => {
      const page = await someone.open(at.asks({ state: 'a b&c' }), { javaScriptEnabled });
      expect(await page.content()).not.toContain('<script');
      await at.signedIn(page);
      await click(page, 'Allow');
      const said = await program.hears();
      expect(Object.fromEntries(said)).toEqual({
        code: expect.stringMatching(/^mcpc_/),
        state: 'a b&c',
        iss: at.outside.url,
      });
      expect(program.heard[0]!.referer).toBeUndefined();
      expect(await page.title()).toBe('Back');
    },
  );

  it('allows with a mailed code', async () => {
    const page = await someone.open(at.asks(), SCREENS[0]![1]);
    await at.proven(page);
    expect(await page.getByText('Grace Hopper').count()).toBe(1);
    await click(page, 'Allow');
    expect((await program.hears()).get('code')).toMatch(/^mcpc_/);
  });

  it('chooses another account, and returns to the request', async () => {
    const page = await someone.open(at.asks());
    await at.signedIn(page, await newPerson(its.product.databaseUrl));
    await click(page, 'Use another account');
    await fillSignIn(page, at.ada);
    await click(page, 'Allow');
    expect((await program.hears()).get('code')).toMatch(/^mcpc_/);
  });

  it('denies, and the client receives access_denied', async () => {
    const page = await someone.open(at.asks());
    await click(page, 'Deny');
    expect((await program.hears()).get('error')).toBe('access_denied');
  });

  it.each(['cursor://x/y', 'com.example.app:/back', 'https://app.example/back'])(
    'is redirected to %s',
    async (redirect_uri) => {
      const { client_id } = (await register(its.product.baseUrl, { redirect_uris: [redirect_uri] })).body;
      const page = await someone.open(at.asks({ client_id, redirect_uri }));
      await at.signedIn(page);
      const { led, failed } = await whereLed(page);
      await click(page, 'Allow');
      await eventually(async () => expect(led.at(-1)).toMatch(`${redirect_uri}?code=mcpc_`));
      // The host does not exist. If the page's content security policy blocked the redirect, the error would be different.
      if (redirect_uri.startsWith('https:'))
        await eventually(async () => expect(failed).toEqual(['net::ERR_NAME_NOT_RESOLVED']));
    },
  );

  it.each(['Allow', 'Deny'])(
    'reaches the page of a client that redirects to another origin, after %s',
    async (choice) => {
      const page = await someone.open(at.asks());
      await at.signedIn(page);
      const onward = await listening();
      program.onward = onward.redirectUri.replace('127.0.0.1', 'localhost');
      await click(page, choice);
      await onward.hears();
      onward.stop();
    },
  );
});

describe('a client in a browser that opens the request in a popup', () => {
  it.each<[string, (popup: Page) => Promise<unknown>]>([
    ['the user signs in', (popup) => at.signedIn(popup)],
    ['the user signs in after a wrong password', (popup) => signInTwice(popup)],
    ['the user enters a mailed code', (popup) => at.proven(popup)],
    ['the user chooses another account', (popup) => changeAccount(popup)],
  ])('receives the code in its own window after %s', async (_, identify) => {
    const page = await someone.open(new URL('/', program.redirectUri).href);
    const opened = page.waitForEvent('popup');
    await page.evaluate((url) => void window.open(url), at.asks());
    const popup = await opened;
    await identify(popup);
    await click(popup, 'Allow');
    await program.hears();
    await popup.getByText('You can close this').waitFor();
    await popup.evaluate(() => (window.opener.document.title = location.search));
    expect(await page.title()).toMatch(/^\?code=mcpc_/);
  });
});

async function changeAccount(popup: Page): Promise<void> {
  await at.signedIn(popup, await newPerson(its.product.databaseUrl));
  await click(popup, 'Use another account');
  await fillSignIn(popup, at.ada);
  await popup.getByRole('button', { name: 'Allow' }).waitFor();
}

async function signInTwice(popup: Page): Promise<void> {
  await popup.getByRole('link', { name: 'Sign in' }).click();
  await fillSignIn(popup, { ...at.ada, password: 'a wrong password' });
  await popup.getByRole('alert').waitFor();
  await fillSignIn(popup, at.ada);
  await popup.getByRole('button', { name: 'Deny' }).waitFor();
}

it('the official client discovers, registers, authorizes, lists, calls, refreshes, and authorizes again after a revocation', async () => {
  const kept = keptInMemory(program);
  const url = new URL(its.scene.mcpEndpoint);
  const enter = async (authProvider = kept): Promise<Client> => {
    const client = new Client({ name: 'test', version: '1' });
    await client.connect(new StreamableHTTPClientTransport(url, { authProvider }));
    return client;
  };
  const asked = async (times: number): Promise<void> => {
    await expect(enter()).rejects.toThrow('Unauthorized');
    expect(kept.asked).toHaveLength(times);
    const page = await someone.open(kept.asked.at(-1)!.href);
    await at.signedIn(page);
    await click(page, 'Allow');
    await new StreamableHTTPClientTransport(url, { authProvider: kept }).finishAuth(await program.hears(times));
    await someone.leave();
  };
  await asked(1);
  const client = await enter();
  expect((await client.listTools()).tools.map(({ name }) => name)).toContain('hash__hash');
  const input = { name: 'hash__hash', arguments: { algorithm: 'sha256', text: 'x' } };
  expect((await client.callTool(input)).isError).toBeFalsy();

  const first = kept.tokensNow!;
  const { databaseUrl } = its.product;
  await rowsOf(databaseUrl, 'UPDATE mcp.tokens SET expires_at = now() WHERE token_hash = $1', [
    hashToken(first.access_token),
  ]);
  await eventually(async () => {
    expect((await client.callTool(input)).isError).toBeFalsy();
    expect(kept.tokensNow!.access_token).not.toBe(first.access_token);
  });
  const { client_id } = kept.client!;
  await revoke(its.product.baseUrl, { ...its.scene.its, clientId: client_id }, kept.tokensNow!.refresh_token!);
  await eventually(() => expect(client.callTool(input)).rejects.toThrow());
  kept.asked.length = 1;
  await client.close();
  await asked(2);
  const again = await enter();
  expect((await again.callTool(input)).isError).toBeFalsy();
  await again.close();
});
