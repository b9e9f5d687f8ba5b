// Shapes: local
import { type Product } from '@drawbridge/testkit';
import { apiOf } from './support/api.js';
import { expectUsable, SCREENS } from './support/browser.js';
import { logo } from './support/logo.js';
import { ownProduct } from './support/own-product.js';
import { fillSignIn, type Visitor, visitor } from './support/visitor.js';
import { newPerson, type Person } from './support/web-users.js';

const COLORS = ['#ffffff', '#000000', '#ffd400', '#808080', '#0f766e'];

let someone: Visitor;
let product: Product;
let member: Person;

beforeAll(async () => {
  [someone, product] = await Promise.all([visitor(), ownProduct({ env: { PUBLIC_RATE_LIMIT: 'null' } })]);
  const { organization } = (await api().get('/api/v1/organization')).body;
  member = await newPerson(product.databaseUrl, { orgId: organization.id, role: 'member' });
});
afterAll(async () => {
  await someone?.close();
  await product?.stop();
});
afterEach(() => someone.leave());

const api = () => apiOf(product.baseUrl, product.key);
const brand = (look: object): Promise<unknown> => api().patch('/api/v1/organization', look);

let invited = 0;

async function invitation(): Promise<string> {
  const email = `ida-${++invited}@example.com`;
  const { body } = await api().post('/api/v1/members/invite', { email });
  return body.link;
}

describe.each(COLORS)('in the color %s', (color) => {
  beforeAll(() => brand({ name: 'Northwind Traders', color, logo: logo() }));

  it.each(SCREENS)('a page is usable: %s', async (screen, options) => {
    const page = await someone.open(await invitation(), options);
    await expectUsable(page, `sign-up in ${color}, ${screen}`);
    await page.getByRole('button', { name: 'Create account' }).hover();
    await expectUsable(page, `sign-up in ${color}, pointed at, ${screen}`);
  });
});

describe('with a logo', () => {
  beforeAll(() => brand({ name: 'Northwind Traders', color: '#0f766e', logo: logo() }));

  it.each(SCREENS)('the account page is usable: %s', async (screen, options) => {
    const page = await someone.open(`${product.baseUrl}/sign-in`, options);
    await fillSignIn(page, member);
    await expectUsable(page, `account with a logo, ${screen}`);
    const drawn = 'document.querySelector(".logo").naturalWidth';
    expect(await page.evaluate(drawn)).toBe(96);
  });
});

describe('with the longest name and no logo', () => {
  beforeAll(() => brand({ name: 'Brønderslev-'.repeat(9).slice(0, 100), logo: null, color: '#7c3aed' }));

  it.each(SCREENS)('a page is usable: %s', async (screen, options) => {
    const page = await someone.open(`${product.baseUrl}/sign-in`, options);
    await fillSignIn(page, member);
    await expectUsable(page, `account without a logo, ${screen}`);
    await page.goto(await invitation());
    await expectUsable(page, `sign-up without a logo, ${screen}`);
  });
});
