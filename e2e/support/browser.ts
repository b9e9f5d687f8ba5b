import { mkdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
// @ts-expect-error a script of the repository's own, without types
import { findBrowser } from '../../scripts/find-browser.mjs';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

export const PHONE = { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true };
export const DESK = { viewport: { width: 1280, height: 860 } };

/** The Chromium of this machine. Throws where there is none: the suite is not started then. */
export function openBrowser(): Promise<Browser> {
  const executablePath = findBrowser() as string | undefined;
  if (!executablePath) throw new Error('No Chromium: apt-get install chromium, or set CHROMIUM');
  return chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-dev-shm-usage'] });
}

/** What axe-core (WCAG 2.2, A and AA) finds wrong with what is shown, as `rule: element`. Runs beside the page's policy. */
export async function problemsOf(page: Page): Promise<string[]> {
  const session = await page.context().newCDPSession(page);
  await session.send('Page.setBypassCSP', { enabled: true });
  const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];
  const expression = `${AXE}; axe.run({ runOnly: ${JSON.stringify(tags)} }).then((result) =>
    JSON.stringify(result.violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => id + ': ' + html))))`;
  const { result } = await session.send('Runtime.evaluate', { expression, awaitPromise: true });
  return JSON.parse(result.value as string) as string[];
}

/** Is anything wider than the screen? Then a phone scrolls sideways. */
export const isTooWide = (page: Page): Promise<boolean> =>
  page.evaluate('document.documentElement.scrollWidth > document.documentElement.clientWidth');

/** Kept where SCREENSHOTS says, for people to look at. */
export async function screenshot(page: Page, name: string): Promise<void> {
  const folder = process.env['SCREENSHOTS'];
  if (!folder) return;
  mkdirSync(folder, { recursive: true });
  await page.screenshot({ path: join(folder, `${name}.png`), fullPage: true });
}

export type Look = Pick<BrowserContextOptions, 'viewport' | 'hasTouch' | 'isMobile' | 'colorScheme'>;

/** How a page is looked at: on a phone and a desk, light and dark. */
export const LOOKS: [string, Look][] = [
  ['phone, light', { ...PHONE, colorScheme: 'light' }],
  ['phone, dark', { ...PHONE, colorScheme: 'dark' }],
  ['desk, light', { ...DESK, colorScheme: 'light' }],
  ['desk, dark', { ...DESK, colorScheme: 'dark' }],
];
