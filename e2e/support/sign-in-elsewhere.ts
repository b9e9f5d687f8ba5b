import { type Product } from '@drawbridge/testkit';
import { canary, type Canary } from './canaries.js';
import { rowsOf } from './database.js';
import { type Front, front } from './front.js';
import { type IdentityProvider, identityProvider, ISSUER, type Manner } from './identity-provider.js';
import { ownProduct } from './own-product.js';
import { type Person } from './web-users.js';
import { type Shown, type Web, webOf } from './web.js';

export const PATH = '/sign-in/with/acme';

export interface Elsewhere {
  product: Product;
  outside: Front;
  provider: IdentityProvider;
  clientSecret: Canary;
  /** Returns a browser without cookies. */
  browser(): Web;
  /** Starts a sign-in up to the provider's page. Returns the path of the redirect back. */
  begin(web: Web, next?: string): Promise<string>;
  /** Completes a sign-in. */
  enter(manner: Manner, web?: Web, next?: string): Promise<Shown>;
  accountsOf(person: Person): Promise<object[]>;
  stop(): Promise<void>;
}

/** Starts a product with three identity providers: a working provider, a provider with an unresolvable host, and a provider at a private address. */
export async function signInElsewhere(): Promise<Elsewhere> {
  const clientSecret = canary();
  const [provider, outside] = await Promise.all([identityProvider(), front()]);
  const product = await ownProduct({ replicas: { members: 2 }, env: environment(provider, outside, clientSecret) });
  outside.leadTo(product.baseUrl);
  const browser = (): Web => webOf(outside.url);
  const begin: Elsewhere['begin'] = async (web, next = '/account') => {
    const { status, to } = await web.get(`${PATH}?next=${encodeURIComponent(next)}`);
    expect({ status, to }).toEqual({ status: 303, to: expect.stringContaining(`${ISSUER}/authorize?`) });
    return provider.agree(to!).slice(outside.url.length);
  };
  return {
    ...{ product, outside, provider, clientSecret, browser, begin },
    async enter(manner, web = browser(), next) {
      const way = await begin(web, next);
      provider.behave(manner);
      const shown = await web.get(way);
      provider.behave({ claims: {} });
      return shown;
    },
    accountsOf: ({ id }) =>
      rowsOf(
        product.databaseUrl,
        'SELECT provider_id AS at, account_id AS sub FROM members.accounts WHERE user_id = $1',
        [id],
      ),
    async stop() {
      await product.stop();
      outside.stop();
      provider.stop();
    },
  };
}

let made = 0;

/** A user with an email address that the provider has verified. */
export const verified = (email: string, sub = `sub-${++made}-${email}`): Manner => ({
  claims: { sub, email, email_verified: true, name: 'Ada', picture: 'https://id.acme.example/ada.png' },
});

function environment({ url }: IdentityProvider, outside: Front, { text: clientSecret }: Canary) {
  const acme = { issuer: ISSUER, clientId: 'drawbridge', clientSecret, displayName: 'Acme ID' };
  const lost = { ...acme, issuer: 'https://id.nowhere.invalid', displayName: 'Lost & Found' };
  const inside = { ...acme, issuer: 'https://127.0.0.1', displayName: 'Inside' };
  return {
    OIDC_PROVIDERS: JSON.stringify({ acme, lost, inside }),
    ORIGIN_MAP: JSON.stringify({ [ISSUER]: url }),
    BASE_URL: outside.url,
    LOG_LEVEL: 'trace',
    PUBLIC_RATE_LIMIT: 'null',
  };
}
