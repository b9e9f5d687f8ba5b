// Shapes: local
import { type Product } from '@drawbridge/testkit';
import { ownProduct } from './support/own-product.js';
import { newPerson } from './support/web-users.js';
import { webOf } from './support/web.js';

const BASE_URL = 'https://drawbridge.example';
/** The headers that a TLS proxy adds to a browser's request. */
const THROUGH_PROXY = { origin: BASE_URL, 'x-forwarded-proto': 'https', 'x-forwarded-for': '203.0.113.9' };

let product: Product;
beforeAll(async () => {
  product = await ownProduct({ env: { BASE_URL, TRUST_PROXY: '1' } });
});
afterAll(() => product?.stop());

it('over TLS, the cookies cannot be set by a sibling host or over plain HTTP', async () => {
  const { email, password } = await newPerson(product.databaseUrl);
  const web = webOf(product.baseUrl);
  const { headers } = await web.post('/sign-in', { email, password }, THROUGH_PROXY);
  const cookies = headers.getSetCookie();
  expect(cookies.map((cookie) => cookie.split('=')[0])).toEqual(['__Host-browser', '__Host-session']);
  for (const cookie of cookies) {
    expect(cookie.split('; ').slice(1).sort()).toEqual(
      expect.arrayContaining(['HttpOnly', 'Path=/', 'SameSite=Lax', 'Secure']),
    );
    expect(cookie).not.toContain('Domain');
  }

  expect((await web.get('/account', THROUGH_PROXY)).status).toBe(200);
  const token = web.cookies.get('__Host-session')!;
  const set = webOf(product.baseUrl, new Map([['session', token]]));
  expect(await set.get('/account', THROUGH_PROXY)).toMatchObject({ status: 303, to: '/sign-in?next=/account' });
});
