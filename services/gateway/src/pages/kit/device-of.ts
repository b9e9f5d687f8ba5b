import Bowser from 'bowser';
import { type Words } from '../words/en.js';

/** What a person calls a browser: `Firefox on Windows`. It is what the browser says of itself. */
export function deviceOf(userAgent: string, { account }: Words): string {
  if (userAgent === '') return account.unknownDevice;
  const { browser, os } = Bowser.parse(userAgent);
  if (!browser.name) return account.unknownDevice;
  return os.name ? account.onSystem(browser.name, os.name) : browser.name;
}
