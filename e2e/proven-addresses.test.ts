// Shapes: none; in full: local
import { rowsOf } from './support/database.js';
import { type EmailedLinks, emailedLinks } from './support/emailed-links.js';
import { newPerson, type Person, signIn } from './support/web-users.js';

let links: EmailedLinks;
let databaseUrl: string;

beforeAll(async () => {
  links = await emailedLinks();
  ({ databaseUrl } = links.product);
});
afterAll(() => links?.stop());

describe('a password that was chosen before the address was verified', () => {
  async function unproven(): Promise<Person> {
    const person = await newPerson(databaseUrl);
    await rowsOf(databaseUrl, 'UPDATE members.users SET email_verified = false WHERE id = $1', [person.id]);
    return person;
  }

  it('is deleted by the link, with its sessions, and a new one can be chosen', async () => {
    const person = await unproven();
    const intruder = await signIn(links.outside.url, person);
    const { token } = await links.newLink(person);
    const web = links.browser();
    expect(await links.use(token, web)).toMatchObject({ status: 303, to: '/account?done=proven' });
    expect((await intruder.get('/account')).to).toBe('/sign-in?next=/account');
    expect((await links.browser().post('/sign-in', { ...person } as never)).status).toBe(401);
    expect((await web.get('/account?done=proven')).text).toContain('Choose a new one here');
    expect((await web.post('/account/password', { newPassword: 'short' })).status).toBe(400);
    expect((await web.post('/account/password', { newPassword: 'of her own choice' })).status).toBe(303);
    await signIn(links.outside.url, { ...person, password: 'of her own choice' });
  });

  it('can be replaced only in a fresh session', async () => {
    const person = await unproven();
    const web = links.browser();
    await links.use((await links.newLink(person)).token, web);
    const aged = "UPDATE members.sessions SET created_at = now() - interval '16 min' WHERE user_id = $1";
    await rowsOf(databaseUrl, aged, [person.id]);
    const refused = await web.post('/account/password', { newPassword: 'of her own choice' });
    expect(refused).toMatchObject({ status: 403, text: expect.stringContaining('sign out, sign in again') });
  });

  it('is kept when the address was verified', async () => {
    const person = await newPerson(databaseUrl);
    const [own, { token }] = [await signIn(links.outside.url, person), await links.newLink(person)];
    expect(await links.use(token)).toMatchObject({ to: '/account' });
    expect((await own.get('/account')).status).toBe(200);
    await signIn(links.outside.url, person);
  });
});
