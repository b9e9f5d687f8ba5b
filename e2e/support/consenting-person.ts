import { eventually } from './eventually.js';
import { allow } from './oauth.js';
import { type Web } from './web.js';

/** A person at whose side a client of others runs. */
export interface ConsentingPerson {
  /** What the client writes: where it names an address of ours, they open that and allow what it asks for. */
  hear(text: string): void;
  /** How often they were asked. */
  asked: number;
}

const ADDRESS = /https?:\/\/\S+\/oauth\/authorize\?\S+(?=\s)/;

export function consentingPerson(web: Web): ConsentingPerson {
  let heard = '';
  return {
    asked: 0,
    hear(text) {
      heard += text;
      const address = ADDRESS.exec(heard)?.[0];
      if (!address) return;
      heard = heard.slice(heard.indexOf(address) + address.length);
      this.asked += 1;
      // Where it fails the client waits in vain, and says so.
      void sayYes(web, address).catch((error: unknown) => process.emitWarning(String(error)));
    },
  };
}

/** As a browser does: the client listens where it is led back to. */
async function sayYes(web: Web, address: string): Promise<void> {
  const { searchParams: asked } = new URL(address);
  const said = await allow(web, { query: () => asked.toString() });
  // It may name the address a moment before it listens.
  await eventually(() => fetch(`${asked.get('redirect_uri')}?${said}`));
}
