// Shapes: none; in full: processes
import { apiOf } from './support/api.js';
import { drawbridge } from './support/drawbridge.js';
import { rowsOf } from './support/database.js';
import { expectWithinASecond } from './support/expect-within.js';
import { newPerson, type Person, signIn } from './support/web-users.js';
import { type Web } from './support/web.js';

let baseUrl: string;
let baseUrls: string[];
let databaseUrl: string;
let owner: Person;

beforeAll(async () => {
  ({ baseUrl, baseUrls, databaseUrl } = await drawbridge());
  owner = await newPerson(databaseUrl);
});

const signedIn = (person: Person): Promise<Web> => signIn(baseUrl, person);

describe('a session instead of a key', () => {
  const PATH = '/api/v1/workspaces';
  const made = { body: JSON.stringify({ name: 'W', slug: 'made' }), headers: { 'content-type': 'application/json' } };

  it('calls the API as its organization', async () => {
    const web = await signedIn(owner);
    expect(JSON.parse((await web.get('/api/v1/organization')).text).organization.id).toBe(owner.orgId);
    expect(await web.send('POST', PATH, made)).toMatchObject({ status: 201 });
  });

  it('changes nothing from another origin or without an origin', async () => {
    const web = await signedIn(await newPerson(databaseUrl));
    for (const origin of ['https://evil.example', 'null', '']) {
      const answer = await web.send('POST', PATH, { ...made, headers: { ...made.headers, origin } });
      expect({ origin, status: answer.status }).toEqual({ origin, status: 403 });
    }
    expect(JSON.parse((await web.get(PATH)).text).total).toBe(0);
  });

  it('reads and executes as a member but cannot write, and a demotion takes effect within a second', async () => {
    const person = await newPerson(databaseUrl);
    const web = await signedIn(person);
    const create = (slug: string) => web.send('POST', PATH, { ...made, body: JSON.stringify({ name: 'W', slug }) });
    expect(await create('as-owner')).toMatchObject({ status: 201 });
    await rowsOf(databaseUrl, "UPDATE members.members SET role = 'member' WHERE user_id = $1", [person.id]);
    await expectWithinASecond(async () => expect((await create(`as-member-${Date.now()}`)).status).toBe(403));
    expect((await web.get(PATH)).status).toBe(200);
  });

  it('is ignored beside an invalid key', async () => {
    const web = await signedIn(owner);
    expect((await web.get(PATH, { authorization: 'Bearer svc_wrong' })).status).toBe(401);
  });

  it('is refused at every gateway within a second after signing out', async () => {
    const web = await signedIn(owner);
    const cookie = `session=${web.cookies.get('session')}`;
    const everywhere = () => Promise.all(baseUrls.map(async (url) => (await apiOf(url).get(PATH, { cookie })).status));
    expect(await everywhere()).toEqual(baseUrls.map(() => 200));
    await web.post('/sign-out');
    await expectWithinASecond(async () => expect(await everywhere()).toEqual(baseUrls.map(() => 401)));
  });

  it('is refused once its user is no longer a member or the session is deleted', async () => {
    for (const sql of [
      'DELETE FROM members.members WHERE user_id = $1',
      'DELETE FROM members.sessions WHERE user_id = $1',
    ]) {
      const person = await newPerson(databaseUrl);
      const web = await signedIn(person);
      expect((await web.get(PATH)).status).toBe(200);
      await rowsOf(databaseUrl, sql, [person.id]);
      await expectWithinASecond(async () => expect((await web.get(PATH)).status).toBe(401));
    }
  });
});
