import { type BrowserContext, type BrowserContextOptions, type Page } from 'playwright-core';
import { openBrowser } from './browser.js';
import { type Person } from './web-users.js';

export interface Visitor {
  /** A page of a browser of its own; what the browser complains of fails the test. */
  open(url: string, options?: BrowserContextOptions): Promise<Page>;
  /** After each test. */
  leave(): Promise<void>;
  close(): Promise<void>;
}

/** Somebody with the Chromium of this machine, in English. */
export async function visitor(): Promise<Visitor> {
  const browser = await openBrowser();
  let context: BrowserContext | undefined;
  return {
    async open(url, options = {}) {
      context = await browser.newContext({ baseURL: new URL(url).origin, locale: 'en-GB', ...options });
      const page = await context.newPage();
      page.on('console', (message) => {
        if (message.text().includes('Content Security Policy')) throw new Error(message.text());
      });
      await page.goto(url);
      return page;
    },
    leave: async () => context?.close(),
    close: () => browser.close(),
  };
}

/** On the page of /sign-in. */
export async function fillSignIn(page: Page, { email, password }: Person): Promise<void> {
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password').fill(password);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
}

/** What has the focus. */
export const focused = (page: Page): Promise<string> =>
  page.evaluate('document.activeElement.textContent || document.activeElement.name');
