// Shapes: local
import { drawbridge } from './support/drawbridge.js';
import { rowsOf } from './support/database.js';
import { expectWithinASecond } from './support/expect-within.js';
import { newPerson, type Person, signIn } from './support/web-users.js';
import { type Web, webOf } from './support/web.js';

let baseUrl: string;
let databaseUrl: string;
let owner: Person;

beforeAll(async () => {
  ({ baseUrl, databaseUrl } = await drawbridge());
  owner = await newPerson(databaseUrl);
});

const signedIn = (person: Person, web?: Web): Promise<Web> => signIn(baseUrl, person, web);

describe('the account', () => {
  it('changes its name and reports an invalid one', async () => {
    const web = await signedIn(owner);
    expect(await web.post('/account/name', { name: ' Ada ' })).toMatchObject({ status: 303, to: '/account?done=name' });
    expect((await web.get('/account?done=name')).text).toMatch(/Your name is saved.*value="Ada"/s);
    const refused = await web.post('/account/name', { name: 'x'.repeat(101) });
    expect(refused).toMatchObject({ status: 400, text: expect.stringContaining('Use 1 to 100 characters.') });
  });

  it('changes its password, which ends every other session', async () => {
    const person = await newPerson(databaseUrl);
    const [here, there] = [await signedIn(person), await signedIn(person)];
    const form = { currentPassword: person.password, newPassword: 'another battery staple' };
    expect(await here.post('/account/password', { ...form, currentPassword: 'wrong' })).toMatchObject({
      status: 400,
      text: expect.stringContaining('This is not your password.'),
    });
    expect(await here.post('/account/password', { ...form, newPassword: 'short' })).toMatchObject({ status: 400 });
    expect(await here.post('/account/password', form)).toMatchObject({ to: '/account?done=password' });
    expect((await here.get('/account')).status).toBe(200);
    expect((await there.get('/account')).to).toBe('/sign-in?next=/account');
    expect((await webOf(baseUrl).post('/sign-in', person as never)).status).toBe(401);
    await signedIn({ ...person, password: form.newPassword });
  });

  it('lists its sessions and ends one or all others, but no other user’s', async () => {
    const person = await newPerson(databaseUrl);
    const [here, there] = [await signedIn(person), await signedIn(person)];
    const [{ id }] = (await rowsOf<{ id: string }>(
      databaseUrl,
      'SELECT id FROM members.sessions WHERE user_id = $1 ORDER BY created_at DESC',
      [person.id],
    )) as [{ id: string }];
    const stranger = await signedIn(owner);
    expect(await stranger.post('/account/sessions', { sessionId: id })).toMatchObject({ status: 404 });
    expect((await there.get('/account')).status).toBe(200);
    expect(await here.post('/account/sessions', { sessionId: id })).toMatchObject({ to: '/account?done=session' });
    expect((await there.get('/account')).status).toBe(303);
    await signedIn(person, there);
    expect(await here.post('/account/sessions')).toMatchObject({ to: '/account?done=sessions' });
    expect((await there.get('/account')).status).toBe(303);
    expect((await here.get('/account')).status).toBe(200);
  });

  it('keeps the newest 100 sessions and lists them in pages', async () => {
    const person = await newPerson(databaseUrl);
    const older = `
      INSERT INTO members.sessions (id, user_id, token, expires_at, created_at, updated_at)
      SELECT gen_random_uuid(), $1, gen_random_uuid()::text, now() + interval '6.5 days', now() - n * interval '1 hour', now()
      FROM generate_series(1, 150) AS n`;
    await rowsOf(databaseUrl, older, [person.id]);
    const web = await signedIn(person);
    const count = 'SELECT count(*)::int AS count FROM members.sessions WHERE user_id = $1';
    expect(await rowsOf(databaseUrl, count, [person.id])).toEqual([{ count: 100 }]);
    const listed: string[] = [];
    for (let path: string | undefined = '/account'; path;) {
      const { text } = await web.get(path);
      const ids = [...text.matchAll(/name="sessionId" value="([^"]+)"/g)].map(([, id]) => id!);
      expect(ids.length).toBeLessThanOrEqual(20);
      listed.push(...ids);
      path = /href="([^"]+)"[^>]*>Older/.exec(text)?.[1];
    }
    expect(new Set(listed).size).toBe(99);
    expect((await web.get('/account?sessions=7')).text).toContain('Newer');
    for (const odd of ['-1', 'x', '1e9', '99999999999999999999']) {
      expect((await web.get(`/account?sessions=${odd}`)).status).toBe(200);
    }
  });

  it('rejects a session after 30 days, however often the session was used', async () => {
    const person = await newPerson(databaseUrl);
    const web = await signedIn(person);
    const aged = "UPDATE members.sessions SET created_at = now() - interval '30 days 1 second' WHERE user_id = $1";
    await rowsOf(databaseUrl, aged, [person.id]);
    expect((await web.get('/account')).to).toBe('/sign-in?next=/account');
    expect((await web.post('/account/name', { name: 'Too late' })).to).toBe('/sign-in?next=/account');
    const [user] = await rowsOf<{ name: string }>(databaseUrl, 'SELECT name FROM members.users WHERE id = $1', [
      person.id,
    ]);
    expect(user!.name).not.toBe('Too late');
  });

  it('acts in the chosen organization, among those of the user', async () => {
    const person = await newPerson(databaseUrl);
    await newPerson(databaseUrl, { orgId: person.orgId, role: 'member' });
    const sql = 'INSERT INTO members.members (id, org_id, user_id, role) VALUES (gen_random_uuid(), $1, $2, $3)';
    const second = await newPerson(databaseUrl);
    await rowsOf(databaseUrl, sql, [second.orgId, person.id, 'admin']);
    const web = await signedIn(person);
    expect(await web.post('/account/organization', { orgId: second.orgId })).toMatchObject({ status: 303 });
    const acting = async () => JSON.parse((await web.get('/api/v1/organization')).text).organization.id;
    await expectWithinASecond(async () => expect(await acting()).toBe(second.orgId));
    expect(await web.post('/account/organization', { orgId: owner.orgId })).toMatchObject({ status: 404 });
    const form = { currentPassword: person.password, newPassword: 'another battery staple' };
    expect((await web.post('/account/password', form)).to).toBe('/account?done=password');
    expect(await acting()).toBe(second.orgId);
    const later = await signedIn({ ...person, password: form.newPassword });
    expect(JSON.parse((await later.get('/api/v1/organization')).text).organization.id).toBe(second.orgId);
    await rowsOf(databaseUrl, 'DELETE FROM members.members WHERE org_id = $1 AND user_id = $2', [
      second.orgId,
      person.id,
    ]);
    const last = await signedIn({ ...person, password: form.newPassword });
    expect(JSON.parse((await last.get('/api/v1/organization')).text).organization.id).toBe(person.orgId);
  });
});
