// Shapes: local
import { hashToken } from '@drawbridge/contracts';
import { type Api, apiOf } from './support/api.js';
import { rowsOf } from './support/database.js';
import { drawbridge } from './support/drawbridge.js';
import { databaseContents } from './support/stored-contents.js';
import { newPerson, signIn } from './support/web-users.js';
import { webOf } from './support/web.js';

const PASSWORD = 'chosen by herself';
const READING = ['members.read'];

let api: Api;
let orgId: string;
let baseUrl: string;
let databaseUrl: string;
let logs: () => string;
let invited = 0;

beforeAll(async () => {
  ({ api, orgId, baseUrl, databaseUrl, logs } = await drawbridge());
});

async function invite(email = `invited-${process.pid}-${++invited}-${Date.now()}@example.com`) {
  const { body } = await api.post('/api/v1/members/invite', { email });
  const { origin, pathname, search, searchParams } = new URL(body.link);
  expect({ origin, pathname }).toEqual({ origin: baseUrl, pathname: '/sign-up' });
  const token = searchParams.get('invitation')!;
  expect(token).toMatch(/^[\w-]{43}$/);
  return { email, id: body.invitation.id as string, token, link: pathname + search };
}

const membersOf = async (): Promise<string[]> =>
  (await api.get('/api/v1/members?limit=100')).body.members.map((one: { userEmail: string }) => one.userEmail);

describe('an invitation link', () => {
  it('creates an account, makes it a member and signs it in', async () => {
    const { email, token, link } = await invite();
    const web = webOf(baseUrl);
    expect((await web.get(link)).text).toContain(email);
    const form = { invitation: token, name: 'Ida', newPassword: PASSWORD };
    expect(await web.post('/sign-up', form)).toMatchObject({ status: 303, to: '/account?done=joined' });
    expect(JSON.parse((await web.get('/api/v1/organization')).text).organization.id).toBe(orgId);
    expect(await membersOf()).toContain(email);
    expect(await webOf(baseUrl).post('/sign-in', { email, password: PASSWORD })).toMatchObject({ status: 303 });
  });

  it('reports an invalid name and password, and creates nothing', async () => {
    const { email, token } = await invite();
    const refused = await webOf(baseUrl).post('/sign-up', { invitation: token, name: ' ', newPassword: 'short' });
    expect(refused.status).toBe(400);
    expect(refused.text).toContain('Use 1 to 100 characters.');
    expect(refused.text).toContain('Use 8 to 200 characters.');
    expect(await rowsOf(databaseUrl, 'SELECT FROM members.users WHERE email = $1', [email])).toEqual([]);
  });

  it('lets an existing account join, and creates no other one', async () => {
    const person = await newPerson(databaseUrl);
    const { token, link } = await invite(person.email);
    const refused = await webOf(baseUrl).post('/sign-up', { invitation: token, name: 'Eve', newPassword: PASSWORD });
    expect(refused).toMatchObject({ status: 409, text: expect.stringContaining('already exists. Sign in to join') });
    const web = await signIn(baseUrl, person);
    expect((await web.get(link)).text).toContain('action="/sign-up/join"');
    expect(await web.post('/sign-up/join', { invitation: token })).toMatchObject({ to: '/account?done=joined' });
    expect(await membersOf()).toContain(person.email);
  });

  it('cannot be used by another account', async () => {
    const [person, { token, link, email }] = [await newPerson(databaseUrl), await invite()];
    const web = await signIn(baseUrl, person);
    expect((await web.get(link)).text).toContain(`is for ${email}`);
    expect((await web.post('/sign-up/join', { invitation: token })).status).toBe(403);
    expect(await membersOf()).not.toContain(person.email);
  });

  it.each([
    ['canceled', 'was already used or canceled', "UPDATE members.invitations SET status = 'canceled' WHERE id = $1"],
    ['expired', 'has expired', "UPDATE members.invitations SET expires_at = now() - interval '1 s' WHERE id = $1"],
  ])('that is %s shows the reason, and creates nothing', async (_, said, sql) => {
    const { id, token, link, email } = await invite();
    await rowsOf(databaseUrl, sql, [id]);
    expect((await webOf(baseUrl).get(link)).text).toContain(said);
    const form = { invitation: token, name: 'Ida', newPassword: PASSWORD };
    expect((await webOf(baseUrl).post('/sign-up', form)).text).toContain(said);
    expect(await rowsOf(databaseUrl, 'SELECT FROM members.users WHERE email = $1', [email])).toEqual([]);
  });

  it('creates nothing if the sign-up fails', async () => {
    const { email, token } = await invite();
    await rowsOf(databaseUrl, failingSessionsOf(email));
    const form = { invitation: token, name: 'Ida', newPassword: PASSWORD };
    expect((await webOf(baseUrl).post('/sign-up', form)).status).toBe(500);
    await rowsOf(databaseUrl, 'DROP FUNCTION members.refuse_one CASCADE');
    expect(await rowsOf(databaseUrl, 'SELECT FROM members.users WHERE email = $1', [email])).toEqual([]);
    expect(await membersOf()).not.toContain(email);
    expect(await webOf(baseUrl).post('/sign-up', form)).toMatchObject({ status: 303 });
    expect(await membersOf()).toContain(email);
  });

  it('works once, also for concurrent requests', async () => {
    const { token, email } = await invite();
    const form = { invitation: token, name: 'Ida', newPassword: PASSWORD };
    const answers = await Promise.all(Array.from({ length: 5 }, () => webOf(baseUrl).post('/sign-up', form)));
    expect(answers.filter(({ status }) => status === 303)).toHaveLength(1);
    expect(answers.every(({ status }) => status < 500)).toBe(true);
    expect((await membersOf()).filter((one) => one === email)).toHaveLength(1);
  });
});

/** Returns SQL that makes the last statement of this user's sign-up fail. */
const failingSessionsOf = (email: string): string => `
  CREATE OR REPLACE FUNCTION members.refuse_one() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    IF EXISTS (SELECT FROM members.users WHERE id = NEW.user_id AND email = '${email}') THEN
      RAISE EXCEPTION 'No session is stored'; END IF;
    RETURN NEW; END $$;
  CREATE TRIGGER refuse_one BEFORE INSERT ON members.sessions FOR EACH ROW EXECUTE FUNCTION members.refuse_one();`;

describe('an invitation without its link', () => {
  it('cannot be accepted with what lists, the audit log and updates show', async () => {
    const email = `read-${process.pid}-${Date.now()}@example.com`;
    await api.post('/api/v1/members/invite', { email, role: 'admin' });
    const { body } = await api.post('/api/v1/api-keys', { name: 'R', permissions: { scope: 'org', grants: READING } });
    const reader = apiOf(baseUrl, body.plainKey);
    const { invitations } = (await reader.get('/api/v1/members/invitations?limit=100')).body;
    const { id } = invitations.find((one: { email: string }) => one.email === email);
    const form = { invitation: id, name: 'Eve', newPassword: PASSWORD };
    expect((await webOf(baseUrl).get(`/sign-up?invitation=${id}`)).status).toBe(404);
    expect(await webOf(baseUrl).post('/sign-up', form)).toMatchObject({ status: 404, to: null });
    expect(await rowsOf(databaseUrl, 'SELECT FROM members.users WHERE email = $1', [email])).toEqual([]);
  });

  it('cannot be joined by its id on the page, even by the invited user', async () => {
    const person = await newPerson(databaseUrl);
    const { id } = await invite(person.email);
    const web = await signIn(baseUrl, person);
    expect((await web.post('/sign-up/join', { invitation: id })).status).toBe(404);
    expect(await membersOf()).not.toContain(person.email);
  });

  it('shows its link only in the response to the inviting user', async () => {
    const { email, token, link } = await invite();
    expect((await webOf(baseUrl).get(link)).text).toContain(email);
    const lists = ['members/invitations?limit=100', 'audit-log?limit=100', 'audit-log/export'];
    const shown = await Promise.all(lists.map(async (list) => JSON.stringify((await api.get(`/api/v1/${list}`)).body)));
    const used = await webOf(baseUrl).post('/sign-up', { invitation: token, name: 'Ida', newPassword: PASSWORD });
    expect(used.status).toBe(303);
    const kept = await databaseContents(databaseUrl);
    expect(kept).toContain(hashToken(token));
    for (const text of [...shown, used.text, String(used.to), kept, logs()]) expect(text).not.toContain(token);
  });
});

it.each(['', 'x', '00000000-0000-7000-8000-000000000000'])(
  'the sign-up page requires an invitation: %j',
  async (id) => {
    expect((await webOf(baseUrl).get(`/sign-up?invitation=${id}`)).status).toBe(404);
    expect((await webOf(baseUrl).post('/sign-up', { invitation: id, name: 'x', newPassword: PASSWORD })).status).toBe(
      404,
    );
  },
);
