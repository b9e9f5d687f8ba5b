// Shapes: none; in full: processes
import { rowsOf } from './support/database.js';
import { type EmailedLinks, emailedLinks } from './support/emailed-links.js';
import { eventually } from './support/eventually.js';
import { newPerson, type Person } from './support/web-users.js';
import { type Shown, webOf } from './support/web.js';

const USES = 20;

let links: EmailedLinks;
let databaseUrl: string;

/** With separate services, runs two gateways and two replicas of the members service, so that different processes receive the same link. */
beforeAll(async () => {
  links = await emailedLinks();
  ({ databaseUrl } = links.product);
});
afterAll(() => links?.stop());

const sessionsOf = ({ id }: Person): Promise<object[]> =>
  rowsOf(databaseUrl, 'SELECT id FROM members.sessions WHERE user_id = $1', [id]);

async function unproven(): Promise<Person> {
  const person = await newPerson(databaseUrl);
  await rowsOf(databaseUrl, 'UPDATE members.users SET email_verified = false WHERE id = $1', [person.id]);
  return person;
}

/** Uses the link in many browsers at the same time, distributed over the gateways. */
function useAtOnce(token: string): Promise<Shown[]> {
  const { baseUrls } = links.product;
  const origin = { origin: links.outside.url };
  const use = (turn: number): Promise<Shown> =>
    webOf(baseUrls[turn % baseUrls.length]!).post('/sign-in/link', { token, next: '/account' }, origin);
  return Promise.all(Array.from({ length: USES }, (_, turn) => use(turn)));
}

it.each([
  ['a link', newPerson, '/account'],
  ['a link that verifies an address', unproven, '/account?done=proven'],
])('%s signs in once, also for concurrent uses', async (_, made, to) => {
  const person = await made(databaseUrl);
  const { token, path } = await links.newLink(person);
  const answers = await useAtOnce(token);
  expect(answers.map(({ status }) => status).sort()).toEqual([303, ...Array(USES - 1).fill(404)]);
  const cookies = answers.flatMap(({ headers }) => headers.getSetCookie());
  expect(cookies.filter((cookie) => cookie.startsWith('session='))).toHaveLength(1);
  expect(answers.find(({ status }) => status === 303)).toMatchObject({ to });
  expect(await sessionsOf(person)).toHaveLength(1);
  expect((await links.browser().get(path)).text).toContain('no longer works');
});

it('each of several links verifies the address and keeps the sessions of the others', async () => {
  const person = await unproven();
  for (let turn = 0; turn < 3; turn++) await links.ask(person.email);
  const tokens = await eventually(async () => {
    const mails = links.mailsTo(person.email);
    expect(mails).toHaveLength(3);
    return mails.map(({ text }) => /token=([\w-]+)/.exec(text)![1]!);
  });
  const answers = await Promise.all(tokens.map((token) => links.use(token)));
  expect(answers.map(({ status }) => status)).toEqual([303, 303, 303]);
  expect(await sessionsOf(person)).toHaveLength(3);
});
