// Shapes: local
import { hashToken } from '@drawbridge/contracts';
import { drawbridge } from './support/drawbridge.js';
import { rowsOf } from './support/database.js';
import { operatorOf } from './support/operator.js';
import { newOrganization } from './support/organizations.js';
import { newPerson, type Person, signIn } from './support/web-users.js';
import { databaseContents } from './support/stored-contents.js';
import { type Web, webOf } from './support/web.js';

const ELSEWHERE = [
  'https://evil.example',
  '//evil.example',
  '/\\evil.example',
  '/.//evil.example',
  '/%2e//evil.example',
];
const OTHER_SITE = { origin: 'https://evil.example' };

let baseUrl: string;
let databaseUrl: string;
let owner: Person;

beforeAll(async () => {
  ({ baseUrl, databaseUrl } = await drawbridge());
  owner = await newPerson(databaseUrl);
});

const signedIn = (person: Person): Promise<Web> => signIn(baseUrl, person);

describe('a user with email and password', () => {
  it('signs in with the email in any case, and signs out', async () => {
    const web = webOf(baseUrl);
    const { email, password } = owner;
    const answer = await web.post('/sign-in', { email: ` ${email.toUpperCase()} `, password });
    expect(answer).toMatchObject({ status: 303, to: '/account' });
    const { text } = await web.get('/account');
    expect(text).toContain(email);
    expect(await web.post('/sign-out')).toMatchObject({ status: 303, to: '/sign-in?ended' });
    expect(await web.get('/account')).toMatchObject({ status: 303, to: '/sign-in?next=/account' });
  });

  it('receives cookies that scripts and other sites cannot use', async () => {
    const { headers } = await webOf(baseUrl).post('/sign-in', owner as never);
    expect(headers.getSetCookie()).toEqual([
      expect.stringMatching(/^browser=[\w-]{43};.*HttpOnly; SameSite=Lax$/),
      expect.stringMatching(/^session=\w{32,};.*HttpOnly; SameSite=Lax$/),
    ]);
  });

  it('has only the hashes of the tokens stored', async () => {
    const { cookies } = await signedIn(owner);
    const stored = await databaseContents(databaseUrl);
    expect(stored).toContain(hashToken(cookies.get('browser')!));
    for (const name of ['session', 'browser']) expect(stored).not.toContain(cookies.get(name)!);
  });

  it.each(['/account', '/oauth/authorize', '/OAuth/Authorize', '/api/v1/openapi.json', '/oauth/authorize%3Bx'])(
    'is redirected to %s with the opener policy of the form, so that no opener can tell whether a user is signed in',
    async (next) => {
      const path = `/sign-in?next=${encodeURIComponent(next)}`;
      const policyOf = async (web: Web) => (await web.get(path)).headers.get('cross-origin-opener-policy');
      expect(await policyOf(await signedIn(owner))).toBe(await policyOf(webOf(baseUrl)));
    },
  );

  it('is redirected to the requested page, but to no other site', async () => {
    const to = async (next: string) =>
      (await webOf(baseUrl).post(`/sign-in?next=${encodeURIComponent(next)}`, owner as never)).to;
    expect(await to('/approvals/1')).toBe('/approvals/1');
    const signed = await signedIn(owner);
    for (const next of ELSEWHERE) {
      expect(await to(next)).toBe('/account');
      expect((await signed.get(`/sign-in?next=${encodeURIComponent(next)}`)).to).toBe('/account');
    }
  });
});

describe('an operator', () => {
  const create = (email: string, password: string) =>
    operatorOf(databaseUrl).createUser({ email, password, name: 'Ann' });

  it('sets a first password of a user, once', async () => {
    const { owner: bare } = await newOrganization(databaseUrl);
    expect((await webOf(baseUrl).post('/sign-in', { email: bare.email, password: 'a first password' })).status).toBe(
      401,
    );
    expect(await create(bare.email, 'a first password')).toMatchObject({ user: { id: bare.id, email: bare.email } });
    await signedIn({ ...owner, email: bare.email, password: 'a first password' });
    await expect(create(bare.email, 'another password')).rejects.toThrow('DUPLICATE');
  });

  it('creates a user without an organization, who cannot call the API yet', async () => {
    const email = `ann-${Date.now()}@example.com`;
    expect(await create(email, 'a first password')).toEqual({ user: { id: expect.any(String), email, name: 'Ann' } });
    const web = await signedIn({ ...owner, email, password: 'a first password' });
    expect((await web.get('/account')).text).toContain('You do not belong to an organization yet.');
    expect((await web.get('/api/v1/organization')).status).toBe(401);
  });

  it('creates an organization with an owner who signs in with the given password', async () => {
    const email = `bob-${Date.now()}@example.com`;
    const password = 'given at the start';
    const wanted = { name: 'Bob', ownerEmail: email, ownerPassword: password, plan: 'free' };
    const { organization } = await operatorOf(databaseUrl).createOrganization(wanted);
    const web = await signedIn({ ...owner, email, password });
    expect(JSON.parse((await web.get('/api/v1/organization')).text).organization.id).toBe(organization.id);
  });
});

describe('a failed sign-in', () => {
  const answer = async (email: string, password: string) => webOf(baseUrl).post('/sign-in', { email, password });
  const masked = (text: string, email: string): string => text.replaceAll(email, '');

  it('answers the same for a wrong password, an unknown email, and a user without a password', async () => {
    const [unknown, bare] = ['unknown@example.com', 'owner@localhost'];
    const wrong = await answer(owner.email, 'not the password');
    expect(wrong.status).toBe(401);
    for (const email of [unknown, bare, 'no email']) {
      const other = await answer(email, 'not the password');
      expect({ ...other, headers: {}, text: masked(other.text, `"${email}"`) }).toEqual({
        ...wrong,
        headers: {},
        text: masked(wrong.text, `"${owner.email}"`),
      });
    }
  });

  it('is rate-limited after too many failures, for that account only', async () => {
    const victim = await newPerson(databaseUrl);
    const friend = await newPerson(databaseUrl);
    const statuses: number[] = [];
    for (let turn = 0; turn < 11; turn++) statuses.push((await answer(victim.email, 'x'.repeat(8))).status);
    expect(statuses).toEqual([...Array(10).fill(401), 429]);
    const refused = await answer(victim.email, victim.password);
    expect(refused).toMatchObject({ status: 429, text: expect.stringContaining('Too many attempts') });
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(60);
    await signedIn(friend);
    // Resets the counter of the network, which also counts other failures in this file.
    await rowsOf(databaseUrl, "DELETE FROM members.attempts WHERE key LIKE 'network:%'");
  });
});

describe('a form of another site', () => {
  it.each(['/sign-in', '/sign-out', '/account/name', '/account/password', '/account/sessions'])(
    'changes nothing: %s',
    async (path) => {
      const web = await signedIn(owner);
      for (const headers of [OTHER_SITE, { origin: 'null' }]) {
        expect(await web.post(path, { ...owner, name: 'Evil' } as never, headers)).toMatchObject({ status: 403 });
      }
      expect((await web.get('/account')).text).not.toContain('Evil');
    },
  );
});

describe('a page', () => {
  it('is in the language of the browser, or else in English', async () => {
    const title = async (language: string) =>
      /<title>(.*?) ·/.exec((await webOf(baseUrl).get('/sign-in', { 'accept-language': language })).text)?.[1];
    expect(await title('de-CH,de;q=0.9,en;q=0.8')).toBe('Anmelden');
    expect(await title('fr')).toBe('Sign in');
  });

  it.each(['/sign-in', '/account/nothing'])('loads only its style sheet and cannot be framed: %s', async (path) => {
    const { headers } = await webOf(baseUrl).get(path);
    const policy = headers.get('content-security-policy');
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).not.toContain('unsafe');
    expect(headers.get('cache-control')).toBe('no-store');
    expect(headers.get('x-content-type-options')).toBe('nosniff');
  });

  it('that does not exist answers 404 with a page', async () => {
    const { status, text } = await webOf(baseUrl).get('/account/nothing');
    expect({ status, text }).toEqual({
      status: 404,
      text: expect.stringContaining('There is no page at this address.'),
    });
  });

  it('escapes the typed text', async () => {
    const { text } = await webOf(baseUrl).post('/sign-in', { email: '"><script>alert(1)</script>', password: 'x' });
    expect(text).not.toContain('<script');
  });
});
