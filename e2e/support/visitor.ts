import { type BrowserContext, type BrowserContextOptions, type Page } from 'playwright-core';
import { openBrowser } from './browser.js';
import { type Person } from './web-users.js';

export interface Visitor {
  /** Opens a page in a new browser context. A violation of the content security policy fails the test. */
  open(url: string, options?: BrowserContextOptions): Promise<Page>;
  /** Closes the browser context. Call it after each test. */
  leave(): Promise<void>;
  close(): Promise<void>;
}

/** Starts the Chromium of this machine, in English. */
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

/** Submits the form of /sign-in. */
export async function fillSignIn(page: Page, { email, password }: Person): Promise<void> {
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password').fill(password);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
}

/** Returns the text or name of the focused element. */
export const focused = (page: Page): Promise<string> =>
  page.evaluate('document.activeElement.textContent || document.activeElement.name');
