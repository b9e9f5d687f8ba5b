// Shapes: local
import { type Api, apiOf } from './support/api.js';
import { drawbridge, type Drawbridge } from './support/drawbridge.js';
import { expectError } from './support/expect.js';
import { expectWithinASecond } from './support/expect-within.js';
import { operatorOf } from './support/operator.js';
import { fresh } from './support/owned-resources.js';
import { signIn } from './support/web-users.js';
import { apiOfPage, type Web, webOf } from './support/web.js';

const INTRUDERS = 'chosen by an intruder';
const OWN = 'chosen by the operator';

let product: Drawbridge;
let create: (email: string, password?: string) => Promise<unknown>;

beforeAll(async () => {
  product = await drawbridge();
  const operator = operatorOf(product.databaseUrl);
  create = (ownerEmail, ownerPassword) =>
    operator.createOrganization({ name: 'Acme', ownerEmail, ownerPassword, plan: 'free' });
});

/** Signs up with the email address of another person, without access to their mailbox: the attacker invites the address and uses the link. */
async function intruder(): Promise<{ email: string; web: Web; key: Api }> {
  const email = `${fresh()}@example.com`;
  const { link } = (await product.api.post('/api/v1/members/invite', { email, role: 'admin' })).body;
  const web = webOf(product.baseUrl);
  const form = { invitation: new URL(link).searchParams.get('invitation')!, name: 'Eve', newPassword: INTRUDERS };
  expect((await web.post('/sign-up', form)).status).toBe(303);
  const made = await apiOfPage(product.baseUrl, web).post('/api/v1/api-keys', { name: 'Eve' });
  return { email, web, key: apiOf(product.baseUrl, made.body.plainKey) };
}

describe('an organization for an email with an unverified account', () => {
  it('is refused without a password', async () => {
    const { email, web } = await intruder();
    await expect(create(email)).rejects.toThrow(/with an unverified address/);
    expect((await web.get('/account')).text).not.toContain('Acme');
  });

  it('takes the account over with a password: earlier sessions, passwords and keys are revoked', async () => {
    const { email, web, key } = await intruder();
    await create(email, OWN);
    expect((await webOf(product.baseUrl).post('/sign-in', { email, password: INTRUDERS })).status).toBe(401);
    expect((await web.get('/account')).status).toBe(303);
    await expectWithinASecond(async () => expectError(await key.get('/api/v1/organization'), 401, 'UNAUTHENTICATED'));
    const owner = await signIn(product.baseUrl, { id: '', orgId: '', email, password: OWN });
    expect((await owner.get('/account')).text).toContain('Acme');
  });

  it('keeps a verified account unchanged', async () => {
    const { email } = await intruder();
    await create(email, OWN);
    await create(email);
    await expect(create(email, OWN)).rejects.toThrow(/Omit the password/);
    expect((await webOf(product.baseUrl).post('/sign-in', { email, password: OWN })).status).toBe(303);
  });
});
