// Shapes: none; in full: local
import { rowsOf } from './support/database.js';
import { type Manner } from './support/identity-provider.js';
import { type Elsewhere, PATH, signInElsewhere, verified } from './support/sign-in-elsewhere.js';
import { newPerson, type Person } from './support/web-users.js';
import { webOf } from './support/web.js';

let its: Elsewhere;
let databaseUrl: string;

beforeAll(async () => {
  its = await signInElsewhere();
  ({ databaseUrl } = its.product);
});
afterAll(() => its?.stop());

describe('a sign-in with an identity provider is refused', () => {
  let victim: Person;
  beforeAll(async () => {
    victim = await newPerson(databaseUrl);
  });
  const now = (): number => Math.floor(Date.now() / 1_000);

  async function refused(manner: Manner, status: number): Promise<void> {
    const web = its.browser();
    const answer = await its.enter(manner, web);
    expect(answer.status).toBe(status);
    expect(answer.text).toContain('<h1>');
    expect(web.cookies.has('session')).toBe(false);
    expect(await its.accountsOf(victim)).toHaveLength(1);
  }

  // These cases run before the first successful sign-in, because after it the provider's keys are cached.
  it.each(['floods', 'redirects', 'fails', 'garbles', 'is a page', 'hangs'] as const)(
    'when the provider’s keys are unavailable, because it %s',
    (does) => refused({ ...verified(victim.email), at: '/keys', does }, 502),
  );

  it.each([false, undefined, 'true', 1])('with an email that the provider did not verify: %j', async (value) => {
    const { claims } = verified(victim.email);
    await refused({ claims: { ...claims, email_verified: value } }, 403);
  });

  it.each([
    ['the nonce of another sign-in', () => ({ nonce: 'another' })],
    ['no nonce', () => ({ nonce: undefined })],
    ['another audience', () => ({ aud: 'another-client' })],
    ['another issuer', () => ({ iss: 'https://evil.example' })],
    ['an expired token', () => ({ iat: now() - 7_200, exp: now() - 3_600 })],
    ['no subject', () => ({ sub: undefined })],
  ])('with %s', (_, wrong) => refused({ ...verified(victim.email), wrong: wrong() }, 502));

  it.each(['none', 'with another key'] as const)('with a token that is signed %s', (signs) =>
    refused({ ...verified(victim.email), signs }, 502),
  );

  it.each([
    ['/token', 'floods'],
    ['/token', 'redirects'],
    ['/token', 'fails'],
    ['/token', 'garbles'],
    ['/token', 'is a page'],
    ['/token', 'hangs'],
  ] as const)('when the provider’s %s %s', (at, does) => refused({ ...verified(victim.email), at, does }, 502));

  it('in another browser, a second time, or after it has expired', async () => {
    const [web, other] = [its.browser(), its.browser()];
    const way = await its.begin(web);
    its.provider.behave(verified(victim.email, 'twice'));
    await its.begin(other);
    expect((await its.browser().get(way)).status).toBe(403);
    expect((await other.get(way)).status).toBe(502); // the OAuth state in the redirect belongs to another browser
    const twice = webOf(its.outside.url, new Map(web.cookies));
    const answers = await Promise.all([web.get(way), twice.get(way)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([303, 403]);
    const late = its.browser();
    const lateWay = await its.begin(late);
    await rowsOf(databaseUrl, "UPDATE members.verifications SET expires_at = now() - interval '1 ms'");
    expect((await late.get(lateWay)).status).toBe(403);
  });

  it('when the user denies it', async () => {
    const web = its.browser();
    const state = new URL((await web.get(PATH)).to!).searchParams.get('state')!;
    const { status, text } = await web.get(`${PATH}/back?${new URLSearchParams({ error: 'access_denied', state })}`);
    expect({ status, text }).toEqual({ status: 403, text: expect.stringContaining('refused the request') });
  });

  it.each(['', 'code=x', 'state=x&code=%00', 'code=1&code=2', `code=${'x'.repeat(4_000)}`, '%ff=%', 'error[]=1'])(
    'with a malformed response: %j',
    async (query) => {
      const web = its.browser();
      await its.begin(web);
      const { status, text } = await web.get(`${PATH}/back?${query}`);
      expect({ status, text }).toEqual({ status: 502, text: expect.stringContaining('<h1>') });
    },
  );
});
