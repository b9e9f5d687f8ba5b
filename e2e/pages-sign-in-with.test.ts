// Shapes: local
import { CERTIFICATE } from '@drawbridge/testkit';
import { type BrowserContextOptions, type Page } from 'playwright-core';
import { rowsOf } from './support/database.js';
import { expectUsable, SCREENS } from './support/browser.js';
import { type Front, front } from './support/front.js';
import { type Elsewhere, signInElsewhere, verified } from './support/sign-in-elsewhere.js';
import { focused, type Visitor, visitor } from './support/visitor.js';
import { newPerson, type Person } from './support/web-users.js';

let someone: Visitor;
let its: Elsewhere;
/** The provider's page behind a TLS proxy, because browsers are only redirected to https URLs. */
let there: Front;
let person: Person;

beforeAll(async () => {
  [someone, its, there] = await Promise.all([visitor(), signInElsewhere(), front(CERTIFICATE)]);
  there.leadTo(its.provider.url);
  person = await newPerson(its.product.databaseUrl);
});
beforeEach(() => {
  const metadata = { authorization_endpoint: `${there.url}/authorize` };
  its.provider.behave({ ...verified(person.email, 'in-a-browser'), metadata });
});
afterEach(() => someone.leave());
afterAll(async () => {
  await someone?.close();
  await its?.stop();
  there?.stop();
});

const open = (path: string, options?: BrowserContextOptions): Promise<Page> =>
  someone.open(its.outside.url + path, { ...options, ignoreHTTPSErrors: true });

async function tabTo(page: Page, name: string): Promise<void> {
  for (let turn = 0; turn < 12 && (await focused(page)) !== name; turn++) await page.keyboard.press('Tab');
  expect(await focused(page)).toBe(name);
}

/** Opens the provider's page using only the keyboard. */
async function goThere(page: Page): Promise<void> {
  await tabTo(page, 'Sign in with Acme ID');
  await page.keyboard.press('Enter');
  await page.waitForURL(({ origin }) => origin === there.url);
}

const answer = async (page: Page, name: 'Allow' | 'Deny'): Promise<void> => {
  await tabTo(page, name);
  await page.keyboard.press('Enter');
};

describe('a button for each identity provider', () => {
  it.each(SCREENS)('is usable: %s', async (screen, options) => {
    const page = await open('/sign-in', options);
    expect(await page.getByRole('link', { name: /^Sign in with/ }).allInnerTexts()).toEqual([
      'Sign in with Acme ID',
      'Sign in with Lost & Found',
      'Sign in with Inside',
    ]);
    await expectUsable(page, `sign-in with providers, ${screen}`);
  });

  it.each([true, false])('signs in with the keyboard only, with scripts: %s', async (javaScriptEnabled) => {
    const page = await open('/sign-in?next=/account?done=name', { javaScriptEnabled });
    await goThere(page);
    await answer(page, 'Allow');
    await page.waitForURL('**/account?done=name');
    expect(await page.getByText(person.email).isVisible()).toBe(true);
    expect(
      await rowsOf(its.product.databaseUrl, 'SELECT FROM members.sessions WHERE user_id = $1', [person.id]),
    ).not.toEqual([]);
  });
});

describe('a failed sign-in with a provider', () => {
  it.each(SCREENS)('shows the reason and the way back after a denial: %s', async (screen, options) => {
    const page = await open('/sign-in', options);
    await goThere(page);
    await answer(page, 'Deny');
    expect(await page.getByRole('alert').innerText()).toContain('refused the request');
    await expectUsable(page, `sign-in denied, ${screen}`);
    await tabTo(page, 'Back to sign-in');
    await page.keyboard.press('Enter');
    await page.waitForURL('**/sign-in');
  });

  it.each(SCREENS)('shows the reason where the provider is unreachable: %s', async (screen, options) => {
    const page = await open('/sign-in', options);
    await tabTo(page, 'Sign in with Inside');
    await page.keyboard.press('Enter');
    await page.waitForURL('**/sign-in/with/inside?**');
    expect(await page.getByRole('alert').innerText()).toContain('sign in another way');
    await expectUsable(page, `sign-in unreachable, ${screen}`);
  });
});
