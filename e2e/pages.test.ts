// Shapes: local
import { type BrowserContextOptions, type Page } from 'playwright-core';
import { type Product } from '@drawbridge/testkit';
import { apiOf } from './support/api.js';
import { expectUsable, SCREENS, screenshot } from './support/browser.js';
import { eventually } from './support/eventually.js';
import { type Front, front } from './support/front.js';
import { type MailServer, mailServer } from './support/mail-server.js';
import { ownProduct } from './support/own-product.js';
import { fillSignIn, focused, type Visitor, visitor } from './support/visitor.js';
import { newPerson, type Person } from './support/web-users.js';

let someone: Visitor;
let mail: MailServer;
let outside: Front;
let product: Product;
let baseURL: string;
let person: Person;

/** Starts a product with every sign-in method. */
beforeAll(async () => {
  [someone, mail, outside] = await Promise.all([visitor(), mailServer(), front()]);
  const smtp = { SMTP_URL: `smtp://ann:secret@${mail.host}`, MAIL_FROM: 'no-reply@acme.example' };
  product = await ownProduct({ env: { ...smtp, BASE_URL: outside.url, PUBLIC_RATE_LIMIT: 'null' } });
  outside.leadTo(product.baseUrl);
  baseURL = outside.url;
  person = await newPerson(product.databaseUrl);
});
afterAll(async () => {
  await someone?.close();
  await product?.stop();
  outside?.stop();
  await mail?.stop();
});
afterEach(() => someone.leave());

const open = (path: string, options?: BrowserContextOptions): Promise<Page> => someone.open(baseURL + path, options);
const signIn = (page: Page, as = person): Promise<void> => fillSignIn(page, as);

async function askForLink(page: Page, email: string): Promise<void> {
  await page.getByLabel('Email').fill(email);
  await page.getByRole('button', { name: 'Email me a link instead' }).click();
}

/** Returns the link in the newest email to this address. */
async function mailedLink(email: string, path = '/sign-in/link?'): Promise<string> {
  return eventually(async () => {
    const sent = mail.received.filter(({ to }) => to.includes(email)).at(-1);
    expect(sent?.text).toContain(path);
    return /: (http\S+)/.exec(sent!.text)![1]!;
  });
}

/** Creates an invitation. Returns its unused link. */
async function invitation(): Promise<string> {
  const api = apiOf(product.baseUrl, product.key);
  const email = `invited-${Date.now()}@example.com`;
  await api.post('/api/v1/members/invite', { email });
  const { pathname, search } = new URL(await mailedLink(email, '/sign-up?'));
  return pathname + search;
}

/** Each page, with the steps in a browser that lead to it, signed in or not. */
const PAGES: [string, (page: Page) => Promise<unknown>][] = [
  ['sign-in', async () => undefined],
  ['sign-in-refused', (page) => signIn(page, { ...person, password: 'not the password' })],
  ['sign-in-no-email', (page) => askForLink(page, 'ann')],
  ['sign-in-mailed', (page) => askForLink(page, `unknown-${Date.now()}@example.com`)],
  ['sign-in-link-used', (page) => page.goto('/sign-in/link?token=used')],
  ['account', (page) => signIn(page)],
  [
    'account-problems',
    async (page) => {
      await signIn(page);
      await page.getByLabel('Current password').fill('wrong');
      await page.getByLabel('New password').fill('another battery staple');
      await page.getByRole('button', { name: 'Change password' }).click();
    },
  ],
  [
    'account-done',
    async (page) => {
      await signIn(page);
      await page.getByLabel('Name').fill('Ada Lovelace');
      await page.getByRole('button', { name: 'Save' }).click();
    },
  ],
  ['sign-up', async (page) => page.goto(await invitation())],
  ['sign-up-none', (page) => page.goto('/sign-up')],
  ['nothing', (page) => page.goto('/account/nothing')],
  ['no-such-path', (page) => page.goto('/no-such-path')],
  ['start', (page) => page.goto('/')],
  ['guides', (page) => page.goto('/docs/guides')],
  ['guide', (page) => page.goto('/docs/guides/mcp')],
];

describe.each(PAGES)('%s', (name, reach) => {
  it.each(SCREENS)('is usable: %s', async (screen, options) => {
    const page = await open('/sign-in', options);
    await reach(page);
    await expectUsable(page, `${name}, ${screen}`);
  });

  it('is the same without scripts', async () => {
    const page = await open('/sign-in', { javaScriptEnabled: false });
    await reach(page);
    expect(await page.content()).not.toContain('<script');
    expect(await page.getByRole('heading', { level: 1 }).count()).toBe(1);
  });
});

describe('with the keyboard only', () => {
  it('a user signs in, from the first field, and signs out', async () => {
    const page = await open('/sign-in');
    await page.locator('input[name=email]:focus').waitFor();
    await page.keyboard.type(person.email);
    await page.keyboard.press('Tab');
    await page.keyboard.type(person.password);
    await page.keyboard.press('Enter');
    await page.waitForURL('**/account');
    await page.keyboard.press('Tab');
    expect(await focused(page)).toBe('Skip to content');
    await page.keyboard.press('Tab');
    expect(await focused(page)).toBe('Sign out');
    await page.keyboard.press('Enter');
    await page.waitForURL('**/sign-in?ended');
    expect(await page.getByRole('status').innerText()).toBe('You are signed out.');
  });

  it('each focused element has a visible outline', async () => {
    const page = await open('/sign-in');
    await signIn(page);
    const stops = await page.locator('a, button, input:not([type=hidden])').count();
    for (let stop = 0; stop < stops; stop++) {
      await page.keyboard.press('Tab');
      expect(await page.evaluate('getComputedStyle(document.activeElement).outlineStyle')).toBe('solid');
    }
  });
});

it('the pages are fully in German for a German browser', async () => {
  const page = await open('/sign-in', { locale: 'de-DE' });
  expect(await page.getByRole('heading', { level: 1 }).innerText()).toBe('Anmelden');
  await page.getByLabel('E-Mail').fill(person.email);
  await page.getByLabel('Passwort').fill(person.password);
  await page.getByRole('button', { name: 'Anmelden' }).click();
  expect(await page.locator('html').getAttribute('lang')).toBe('de');
  await expectUsable(page, 'account, german');
});

it('an invited user joins without scripts', async () => {
  const page = await open(await invitation(), { javaScriptEnabled: false });
  await page.getByLabel('Your name').fill('Ida');
  await page.getByLabel('Choose a password').fill('chosen by herself');
  await page.getByRole('button', { name: 'Create account and join' }).click();
  await screenshot(page, 'account, joined');
  expect(await page.getByRole('status').innerText()).toBe('Welcome. You have joined.');
});

it('a user with a mailed link signs in without scripts', async () => {
  const page = await open('/sign-in?next=/account?done=name', { javaScriptEnabled: false });
  await askForLink(page, person.email);
  expect(await page.getByRole('status').innerText()).toContain('we sent a sign-in link');
  await page.goto(await mailedLink(person.email));
  await screenshot(page, 'sign-in-link');
  expect(await page.getByText(person.email).isVisible()).toBe(true);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.waitForURL('**/account?done=name');
});

it('the session is out of reach of scripts', async () => {
  const page = await open('/sign-in');
  await signIn(page);
  await page.waitForURL('**/account');
  expect(await page.evaluate('document.cookie')).toBe('');
});
