import { click, signInFirst } from './authorize-pages.js';
import { eventually } from './eventually.js';
import { type Visitor } from './visitor.js';
import { type Person } from './web-users.js';

/** A person at whose side a client of others runs, and a browser. */
export interface ConsentingPerson {
  /** What the client writes: where it names an address of ours, they open that, sign in, and allow what it asks for. */
  hear(text: string): void;
  /** How often they were asked. */
  asked: number;
  /** Each page that they read before they allowed it. */
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
      // Where it fails the client waits in vain, and says so.
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
  // A client may name the address a moment before it listens: who sees that nobody is there loads the page again.
  await eventually(async () => {
    if (page.url().startsWith('chrome-error:')) await page.reload();
    expect(page.url().split('?')[0]).toBe(back);
  });
  await page.context().close();
}
