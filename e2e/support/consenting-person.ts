import { click, signInFirst } from './authorize-pages.js';
import { eventually } from './eventually.js';
import { type Visitor } from './visitor.js';
import { type Person } from './web-users.js';

/** A user who runs a third-party client and a browser. */
export interface ConsentingPerson {
  /** Reads the client's output. When it contains an authorization URL of Drawbridge, the user opens it, signs in and allows the request. */
  hear(text: string): void;
  /** How often the user was asked for consent. */
  asked: number;
  /** The text of each consent page that the user read. */
  read: string[];
}

const ADDRESS = /https?:\/\/\S+\/oauth\/authorize\?\S+(?=\s)/;

export function consentingPerson(browser: Visitor, who: Person): ConsentingPerson {
  let heard = '';
  return {
    asked: 0,
    read: [],
    hear(text) {
      heard += text;
      const address = ADDRESS.exec(heard)?.[0];
      if (!address) return;
      heard = heard.slice(heard.indexOf(address) + address.length);
      this.asked += 1;
      // On failure, the client's own timeout fails the test. The warning contains the cause.
      void sayYes(browser, who, address, this.read).catch((error: unknown) => process.emitWarning(String(error)));
    },
  };
}

async function sayYes(browser: Visitor, who: Person, address: string, read: string[]): Promise<void> {
  const page = await browser.open(address);
  await signInFirst(page, who);
  read.push(await page.locator('.card').first().innerText());
  await click(page, 'Allow');
  const back = new URL(address).searchParams.get('redirect_uri')!;
  // A client may print the URL before it listens. The page is reloaded until the client responds.
  await eventually(async () => {
    if (page.url().startsWith('chrome-error:')) await page.reload();
    expect(page.url().split('?')[0]).toBe(back);
  });
  await page.context().close();
}
