// Shapes: local
import { apiOf } from './support/api.js';
import { findCanaries } from './support/canaries.js';
import { rowsOf } from './support/database.js';
import { ISSUER } from './support/identity-provider.js';
import { type Elsewhere, PATH, signInElsewhere, verified } from './support/sign-in-elsewhere.js';
import { databaseContents } from './support/stored-contents.js';
import { newPerson, signIn } from './support/web-users.js';

let its: Elsewhere;
let databaseUrl: string;

beforeAll(async () => {
  its = await signInElsewhere();
  ({ databaseUrl } = its.product);
});
afterAll(() => its?.stop());

describe('a user with an identity at a provider', () => {
  it('signs in by a verified email the first time, and by the subject from then on', async () => {
    const person = await newPerson(databaseUrl);
    const web = its.browser();
    expect(await its.enter(verified(person.email.toUpperCase(), 's1'), web)).toMatchObject({
      status: 303,
      to: '/account',
    });
    expect((await web.get('/account')).text).toContain(person.email);
    expect(await its.accountsOf(person)).toContainEqual({ at: ISSUER, sub: 's1' });
    const later = its.browser();
    await its.enter({ claims: { sub: 's1', email: 'changed@example.com' } }, later);
    expect((await later.get('/account')).text).toContain(person.email);
  });

  it('starts a code flow with PKCE, state and nonce', async () => {
    const web = its.browser();
    const asked = new URL((await web.get(PATH)).to!).searchParams;
    expect(Object.fromEntries(asked)).toMatchObject({
      response_type: 'code',
      client_id: 'drawbridge',
      redirect_uri: `${its.outside.url}${PATH}/back`,
      scope: 'openid email profile',
      code_challenge_method: 'S256',
      state: expect.stringMatching(/^\w{64}$/),
      nonce: expect.stringMatching(/^\w{64}$/),
    });
    expect(asked.get('nonce')).not.toBe(asked.get('state'));
  });

  it('is redirected to the requested page, but to no other site', async () => {
    const { email } = await newPerson(databaseUrl);
    expect((await its.enter(verified(email, 'next'), its.browser(), '/approvals/1')).to).toBe('/approvals/1');
    expect((await its.enter(verified(email, 'next'), its.browser(), '//evil.example')).to).toBe('/account');
  });

  it('joins with an invitation', async () => {
    const email = `invited-${Date.now()}@example.com`;
    const { body } = await apiOf(its.product.baseUrl, its.product.key).post('/api/v1/members/invite', { email });
    const web = its.browser();
    const token = new URL(body.link).searchParams.get('invitation')!;
    const link = `/sign-up?invitation=${token}`;
    expect((await web.get(link)).text).toContain('Acme ID');
    expect((await its.enter(verified(email), web, link)).to).toBe(link);
    expect(await web.post('/sign-up/join', { invitation: token })).toMatchObject({
      to: '/account?done=joined',
    });
    const { body: list } = await apiOf(its.product.baseUrl, its.product.key).get('/api/v1/members?limit=100');
    expect(list.members).toContainEqual(
      expect.objectContaining({ userEmail: email, userName: 'Ada', userImage: 'https://id.acme.example/ada.png' }),
    );
  });

  it('is refused without an account or an invitation, and nothing is created', async () => {
    const email = `unknown-${Date.now()}@example.com`;
    const { status, text } = await its.enter(verified(email));
    expect({ status, text }).toEqual({ status: 403, text: expect.stringContaining('no account or invitation') });
    expect(await rowsOf(databaseUrl, 'SELECT FROM members.users WHERE email = $1', [email])).toEqual([]);
  });

  it('loses a password that was chosen before the address was verified', async () => {
    const person = await newPerson(databaseUrl);
    await rowsOf(databaseUrl, 'UPDATE members.users SET email_verified = false WHERE id = $1', [person.id]);
    const intruder = await signIn(its.outside.url, person);
    expect((await its.enter(verified(person.email))).to).toBe('/account?done=proven');
    expect((await intruder.get('/account')).status).toBe(303);
    expect((await its.browser().post('/sign-in', { email: person.email, password: person.password })).status).toBe(401);
  });

  it('has one account after concurrent sign-ins', async () => {
    const person = await newPerson(databaseUrl);
    const webs = Array.from({ length: 6 }, its.browser);
    const ways = await Promise.all(webs.map((web) => its.begin(web)));
    its.provider.behave(verified(person.email, 'many'));
    const answers = await Promise.all(webs.map((web, turn) => web.get(ways[turn]!)));
    expect(answers.map(({ status }) => status)).toEqual(Array(6).fill(303));
    expect(await its.accountsOf(person)).toHaveLength(2);
  });
});

it.each(['lost', 'inside'])('the error page names an unreachable provider: %s', async (name) => {
  const { status, text } = await its.browser().get(`/sign-in/with/${name}`);
  expect({ status, text }).toEqual({ status: 502, text: expect.stringContaining('<h1>') });
});

it('the sign-in page offers each configured provider by name', async () => {
  const { text } = await its.browser().get('/sign-in?next=/approvals/1');
  for (const name of ['Acme ID', 'Lost &amp; Found', 'Inside']) expect(text).toContain(`with ${name}`);
  expect(text).toContain(`href="${PATH}?next=%2Fapprovals%2F1"`);
  expect((await its.browser().get('/sign-in/with/other')).status).toBe(404);
});

it('only the provider receives the client secret', async () => {
  const { clientSecret } = its;
  const web = its.browser();
  const before = its.provider.asked.length;
  await its.enter(verified((await newPerson(databaseUrl)).email), web);
  const { authorization = '', form } = its.provider.asked[before]!;
  expect(findCanaries(authorization + form, { clientSecret })).toEqual(['clientSecret']);
  const seen = [await databaseContents(databaseUrl), its.product.logs(), (await web.get('/account')).text];
  for (const text of seen) expect(findCanaries(text, { clientSecret })).toEqual([]);
});
