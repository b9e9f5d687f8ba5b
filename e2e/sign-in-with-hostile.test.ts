// Shapes: none; in full: local
import { type Product } from '@drawbridge/testkit';
import { canary, type Canary, findCanaries } from './support/canaries.js';
import { type Front, front } from './support/front.js';
import { HOSTILE, type HostileIssuers, hostileIssuers } from './support/hostile-issuers.js';
import { ownProduct } from './support/own-product.js';
import { newPerson, signIn } from './support/web-users.js';
import { type Shown, type Web, webOf } from './support/web.js';

const NAMES = [...HOSTILE.unusable, ...HOSTILE.untrusted];

let outside: Front;
let theirs: HostileIssuers;
let clientSecret: Canary;
let product: Product;

beforeAll(async () => {
  [outside, theirs] = await Promise.all([front(), hostileIssuers(NAMES)]);
  clientSecret = canary();
  const one = { clientId: 'drawbridge', clientSecret: clientSecret.text };
  const providers = NAMES.map((name) => [name, { ...one, issuer: theirs.issuers[name] }]);
  const env = {
    OIDC_PROVIDERS: JSON.stringify(Object.fromEntries(providers)),
    ORIGIN_MAP: JSON.stringify(theirs.originMap),
    BASE_URL: outside.url,
    LOG_LEVEL: 'trace',
    PUBLIC_RATE_LIMIT: 'null',
  };
  product = await ownProduct({ env });
  outside.leadTo(product.baseUrl);
});
afterAll(async () => {
  await product?.stop();
  outside?.stop();
  theirs?.stop();
});

const browser = (): Web => webOf(outside.url);

/** Expects a page with another sign-in method, and no session. */
function expectRefused(web: Web, { status, text, to }: Shown): void {
  expect({ status, to, text }).toEqual({ status: 502, to: null, text: expect.stringContaining('sign in another way') });
  expect(text).toContain('href="/sign-in"');
  expect(web.cookies.has('session')).toBe(false);
}

describe('an untrusted identity provider ends on an error page', () => {
  it.each(HOSTILE.unusable)('when its metadata %s', async (name) => {
    const web = browser();
    expectRefused(web, await web.get(`/sign-in/with/${name}`));
    expect(web.cookies.size).toBe(0);
  });

  it.each(HOSTILE.untrusted)('when it redirects the code elsewhere: %s', async (name) => {
    const web = browser();
    const { to, status } = await web.get(`/sign-in/with/${name}`);
    const state = status === 303 ? new URL(to!).searchParams.get('state')! : 'none';
    const shown = await web.get(`/sign-in/with/${name}/back?code=c&state=${state}`);
    if (status === 303) expectRefused(web, shown);
    else expect([status, shown.status]).toEqual([502, 403]);
  });

  it('and receives neither a code nor the secret', () => {
    expect(theirs.asked).toEqual([]);
    expect(findCanaries(product.logs(), { clientSecret })).toEqual([]);
  });
});

it('a silent identity provider delays no other sign-in', async () => {
  const person = await newPerson(product.databaseUrl);
  let isOver = false;
  const waiting = Array.from({ length: 30 }, () => browser().get('/sign-in/with/is-silent'));
  void Promise.race(waiting).then(() => (isOver = true));
  await signIn(outside.url, person);
  expect(await browser().get('/sign-in')).toMatchObject({ status: 200 });
  expect(isOver).toBe(false);
  theirs.release();
  expect((await Promise.all(waiting)).map(({ status }) => status)).toEqual(Array(30).fill(502));
});
