import Bowser from 'bowser';
import { type Words } from '../words/en.js';

/** Returns a device name for people, such as `Firefox on Windows`, by the User-Agent header, which a client can forge. */
export function deviceOf(userAgent: string, { account }: Words): string {
  if (userAgent === '') return account.unknownDevice;
  const { browser, os } = Bowser.parse(userAgent);
  if (!browser.name) return account.unknownDevice;
  return os.name ? account.onSystem(browser.name, os.name) : browser.name;
}
