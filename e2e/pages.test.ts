// Shapes: local
import { type Browser, type BrowserContext, type BrowserContextOptions, type Page } from 'playwright-core';
import { isTooWide, LOOKS, openBrowser, problemsOf, screenshot } from './support/browser.js';
import { drawbridge } from './support/drawbridge.js';
import { newPerson, type Person } from './support/web-users.js';

let browser: Browser;
let context: BrowserContext | undefined;
let baseURL: string;
let databaseUrl: string;
let person: Person;

beforeAll(async () => {
  ({ baseUrl: baseURL, databaseUrl } = await drawbridge());
  [browser, person] = await Promise.all([openBrowser(), newPerson(databaseUrl)]);
});
afterAll(() => browser?.close());
afterEach(() => context?.close());

/** A page of a browser of its own; what the browser complains of fails the test. */
async function open(path: string, options: BrowserContextOptions = {}): Promise<Page> {
  context = await browser.newContext({ baseURL, locale: 'en-GB', ...options });
  const page = await context.newPage();
  page.on('console', (message) => {
    if (message.text().includes('Content Security Policy')) throw new Error(message.text());
  });
  await page.goto(path);
  return page;
}

async function signIn(page: Page, { email, password }: Person = person): Promise<void> {
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password').fill(password);
  await page.getByRole('button', { name: 'Sign in' }).click();
}

/** The link of an invitation that nobody has used. */
async function invitation(): Promise<string> {
  const { api } = await drawbridge();
  const email = `invited-${Date.now()}@example.com`;
  const { body } = await api.post('/api/v1/members/invite', { email });
  return `/sign-up?invitation=${body.invitation.id}`;
}

/** Each page that there is: how a browser gets there, signed in or not. */
const PAGES: [string, (page: Page) => Promise<unknown>][] = [
  ['sign-in', async () => undefined],
  ['sign-in-refused', (page) => signIn(page, { ...person, password: 'not the password' })],
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
];

describe.each(PAGES)('%s', (name, reach) => {
  it.each(LOOKS)('can be used by everybody: %s', async (look, options) => {
    const page = await open('/sign-in', options);
    await reach(page);
    await screenshot(page, `${name}, ${look}`);
    expect(await problemsOf(page)).toEqual([]);
    expect(await isTooWide(page)).toBe(false);
  });

  it('is the same without scripts', async () => {
    const page = await open('/sign-in', { javaScriptEnabled: false });
    await reach(page);
    expect(await page.content()).not.toContain('<script');
    expect(await page.getByRole('heading', { level: 1 }).count()).toBe(1);
  });
});

describe('with the keyboard alone', () => {
  const focused = (page: Page): Promise<string> =>
    page.evaluate('document.activeElement.textContent || document.activeElement.name');

  it('a person signs in, from the first field, and out', async () => {
    const page = await open('/sign-in');
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

  it('each thing that has the focus shows it', async () => {
    const page = await open('/sign-in');
    await signIn(page);
    const stops = await page.locator('a, button, input:not([type=hidden])').count();
    for (let stop = 0; stop < stops; stop++) {
      await page.keyboard.press('Tab');
      expect(await page.evaluate('getComputedStyle(document.activeElement).outlineStyle')).toBe('solid');
    }
  });
});

it('is all in German for who asks for it', async () => {
  const page = await open('/sign-in', { locale: 'de-DE' });
  expect(await page.getByRole('heading', { level: 1 }).innerText()).toBe('Anmelden');
  await page.getByLabel('E-Mail').fill(person.email);
  await page.getByLabel('Passwort').fill(person.password);
  await page.getByRole('button', { name: 'Anmelden' }).click();
  await screenshot(page, 'account, german');
  expect(await page.locator('html').getAttribute('lang')).toBe('de');
  expect(await problemsOf(page)).toEqual([]);
});

it('lets who is invited join, without scripts', async () => {
  const page = await open(await invitation(), { javaScriptEnabled: false });
  await page.getByLabel('Your name').fill('Ida');
  await page.getByLabel('Choose a password').fill('chosen by herself');
  await page.getByRole('button', { name: 'Create account and join' }).click();
  await screenshot(page, 'account, joined');
  expect(await page.getByRole('status').innerText()).toBe('Welcome. You have joined.');
});

it('keeps the session out of reach of scripts', async () => {
  const page = await open('/sign-in');
  await signIn(page);
  await page.waitForURL('**/account');
  expect(await page.evaluate('document.cookie')).toBe('');
});
