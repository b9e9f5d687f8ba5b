import { mkdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
// @ts-expect-error a script of this repository, without types
import { findBrowser } from '../../scripts/find-browser.mjs';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** True if a page would scroll horizontally on a phone. */
const TOO_WIDE = 'document.documentElement.scrollWidth > document.documentElement.clientWidth';

/** Starts the Chromium of this machine. Throws an error with the command that installs Chromium if there is none. */
export function openBrowser(): Promise<Browser> {
  const executablePath = findBrowser() as string | undefined;
  if (!executablePath) throw new Error('No Chromium: apt-get install chromium-headless-shell, or set CHROMIUM');
  return chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-dev-shm-usage'] });
}

/**
 * Fails unless the page is accessible: in light and in dark mode, axe-core (WCAG 2.2, A and AA) reports no problem, and no element is wider than the
 * screen. `name` is the name of the screenshots.
 */
export async function expectUsable(page: Page, name: string): Promise<void> {
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    await screenshot(page, `${name}, ${colorScheme}`);
    const found = { problems: await problemsOf(page), isTooWide: await page.evaluate(TOO_WIDE) };
    expect({ colorScheme, ...found }).toEqual({ colorScheme, problems: [], isTooWide: false });
  }
}

/** Returns problems as `rule: element`. Bypasses the page's content security policy to run axe-core. */
async function problemsOf(page: Page): Promise<string[]> {
  const session = await page.context().newCDPSession(page);
  await session.send('Page.setBypassCSP', { enabled: true });
  const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];
  const expression = `${AXE}; axe.run({ runOnly: ${JSON.stringify(tags)} }).then((result) =>
    JSON.stringify(result.violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => id + ': ' + html))))`;
  const { result } = await session.send('Runtime.evaluate', { expression, awaitPromise: true });
  await session.detach();
  return JSON.parse(result.value as string) as string[];
}

/** Saves a screenshot in the folder SCREENSHOTS, for visual review. */
export async function screenshot(page: Page, name: string): Promise<void> {
  const folder = process.env['SCREENSHOTS'];
  if (!folder) return;
  mkdirSync(folder, { recursive: true });
  await page.screenshot({ path: join(folder, `${name}.png`), fullPage: true });
}

export type Screen = Pick<BrowserContextOptions, 'viewport' | 'hasTouch' | 'isMobile'>;

const PHONE: [string, Screen] = ['phone', { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true }];
const DESK: [string, Screen] = ['desk', { viewport: { width: 1280, height: 860 } }];

/** The screen sizes in which pages are tested. `npm test` uses only the smaller size to save time. */
export const SCREENS = process.env['FULL'] === '0' ? [PHONE] : [PHONE, DESK];
