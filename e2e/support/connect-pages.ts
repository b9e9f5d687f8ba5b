import { type Page } from 'playwright-core';

/** Waits for the page with this title. */
export const titled = (page: Page, name: string): Promise<void> =>
  page.getByRole('heading', { level: 1, name }).waitFor();

/** Navigates from the session's page to the provider's consent page. */
export async function goToVendor(page: Page, title = 'Test Plain'): Promise<void> {
  await page.getByRole('button', { name: `Continue to ${title}` }).click();
  await titled(page, 'The vendor asks');
}
