import { mkdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
// @ts-expect-error a script of the repository's own, without types
import { findBrowser } from '../../scripts/find-browser.mjs';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** A phone scrolls sideways then. */
const TOO_WIDE = 'document.documentElement.scrollWidth > document.documentElement.clientWidth';

/** The Chromium of this machine. Throws where there is none: the suite is not started then. */
export function openBrowser(): Promise<Browser> {
  const executablePath = findBrowser() as string | undefined;
  if (!executablePath) throw new Error('No Chromium: apt-get install chromium-headless-shell, or set CHROMIUM');
  return chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-dev-shm-usage'] });
}

/**
 * Throws unless everybody can use what is shown: in light and in dark axe-core (WCAG 2.2, A and AA) finds nothing wrong
 * with it, and nothing is wider than the screen. `name` is of its screenshots.
 */
export async function expectUsable(page: Page, name: string): Promise<void> {
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    await screenshot(page, `${name}, ${colorScheme}`);
    const found = { problems: await problemsOf(page), isTooWide: await page.evaluate(TOO_WIDE) };
    expect({ colorScheme, ...found }).toEqual({ colorScheme, problems: [], isTooWide: false });
  }
}

/** As `rule: element`. Runs beside the page's policy. */
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

/** Kept where SCREENSHOTS says, for people to look at. */
export async function screenshot(page: Page, name: string): Promise<void> {
  const folder = process.env['SCREENSHOTS'];
  if (!folder) return;
  mkdirSync(folder, { recursive: true });
  await page.screenshot({ path: join(folder, `${name}.png`), fullPage: true });
}

export type Screen = Pick<BrowserContextOptions, 'viewport' | 'hasTouch' | 'isMobile'>;

/** On which a page is looked at. */
export const SCREENS: [string, Screen][] = [
  ['phone', { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true }],
  ['desk', { viewport: { width: 1280, height: 860 } }],
];
