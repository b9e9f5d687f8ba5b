// Shapes: none; in full: local
import { type EmailedLinks, emailedLinks } from './support/emailed-links.js';
import { rowsOf } from './support/database.js';
import { operatorOf } from './support/operator.js';
import { newPerson, type Person, signIn, whenServed } from './support/web-users.js';
import { type Web } from './support/web.js';

let links: EmailedLinks;
let databaseUrl: string;

beforeAll(async () => {
  links = await emailedLinks();
  ({ databaseUrl } = links.product);
});
afterAll(() => links?.stop());

/** Signs in repeatedly, in several concurrent sequences, until the password is rejected. */
async function untilRefused(person: Person): Promise<Web[]> {
  const line = async (): Promise<Web[]> => {
    const web = links.browser();
    const { status } = await web.post('/sign-in', { ...person } as never);
    return status === 303 ? [web, ...(await line())] : [];
  };
  return (await Promise.all(Array.from({ length: 2 }, line))).flat();
}

/** Creates a person with a hash of the real cost, because a sign-in must take long enough that others overlap with it. */
async function slowPerson(): Promise<Person> {
  const person = await newPerson(databaseUrl);
  await rowsOf(databaseUrl, 'DELETE FROM members.accounts WHERE user_id = $1', [person.id]);
  await operatorOf(databaseUrl).createUser({ email: person.email, password: person.password });
  return person;
}

const alive = async (webs: Web[]): Promise<number> => {
  const statuses = await Promise.all(webs.map(async (web) => (await web.get('/account')).status));
  return statuses.filter((status) => status === 200).length;
};

describe('a concurrent sign-in', () => {
  it('does not survive a change of the password', async () => {
    const person = await slowPerson();
    const own = await signIn(links.outside.url, person);
    const entered = untilRefused(person);
    const form = { currentPassword: person.password, newPassword: 'another battery staple' };
    const changed = await whenServed(() => own.post('/account/password', form));
    expect(changed).toMatchObject({ to: '/account?done=password' });
    expect(await alive(await entered)).toBe(0);
    expect((await own.get('/account')).status).toBe(200);
  });

  it('does not survive the verification of the address, which deletes the password', async () => {
    const person = await slowPerson();
    await rowsOf(databaseUrl, 'UPDATE members.users SET email_verified = false WHERE id = $1', [person.id]);
    const { token } = await links.newLink(person);
    const entered = untilRefused(person);
    const own = links.browser();
    expect(await links.use(token, own)).toMatchObject({ to: '/account?done=proven' });
    expect(await alive(await entered)).toBe(0);
    expect((await own.get('/account')).status).toBe(200);
  });
});
