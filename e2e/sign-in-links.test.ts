// Shapes: local
import { type Product } from '@drawbridge/testkit';
import { rowsOf } from './support/database.js';
import { type EmailedLinks, emailedLinks } from './support/emailed-links.js';
import { databaseContents } from './support/stored-contents.js';
import { newPerson } from './support/web-users.js';

const SENT = '/sign-in?sent&next=%2Faccount';

let links: EmailedLinks;
let product: Product;
let databaseUrl: string;

beforeAll(async () => {
  links = await emailedLinks();
  ({ product } = links);
  ({ databaseUrl } = product);
});
afterAll(() => links?.stop());
beforeEach(() => rowsOf(databaseUrl, "DELETE FROM members.attempts WHERE key LIKE 'link-%'"));

describe('an emailed sign-in link', () => {
  it('signs in its recipient, in a browser that did not request it, and redirects', async () => {
    const person = await newPerson(databaseUrl);
    await links.ask(` ${person.email.toUpperCase()} `, '/sign-up?invitation=1');
    const { path, token, next } = await links.linkOf(person.email);
    const web = links.browser();
    expect((await web.get(path)).text).toContain(`sign in as ${person.email}`);
    expect(await links.use(token, web, next)).toMatchObject({ status: 303, to: '/sign-up?invitation=1' });
    expect((await web.get('/account')).text).toContain(person.email);
  });

  it('is not consumed by mail scanners', async () => {
    const person = await newPerson(databaseUrl);
    const { path, token } = await links.newLink(person);
    for (const method of ['GET', 'HEAD', 'GET']) expect((await links.browser().send(method, path)).status).toBe(200);
    expect((await links.browser().get(path)).headers.getSetCookie()).toEqual([]);
    expect((await links.use(token)).status).toBe(303);
  });

  it("expires after 15 minutes, by the database's clock", async () => {
    const { token, path } = await links.newLink(await newPerson(databaseUrl));
    const [row] = await rowsOf<{ seconds: number }>(
      databaseUrl,
      `SELECT extract(epoch FROM expires_at - created_at)::int AS seconds FROM members.verifications
       ORDER BY created_at DESC LIMIT 1`,
    );
    expect(row).toEqual({ seconds: 900 });
    await rowsOf(databaseUrl, "UPDATE members.verifications SET expires_at = now() - interval '1 ms'");
    expect((await links.browser().get(path)).status).toBe(404);
    expect((await links.use(token)).status).toBe(404);
  });

  it.each(['', 'x', 'a'.repeat(43), '\0', '\ud800', 'ä'.repeat(400)])(
    'is refused with another token: %j',
    async (token) => {
      expect(
        (await links.browser().get(`/sign-in/link?token=${encodeURIComponent(token.toWellFormed())}`)).status,
      ).toBe(404);
      expect((await links.use(token.toWellFormed())).status).toBe(404);
    },
  );

  it('cannot be used or requested by a form of another site', async () => {
    const person = await newPerson(databaseUrl);
    const { token } = await links.newLink(person);
    for (const origin of ['https://evil.example', 'null', product.baseUrl]) {
      expect((await links.browser().post('/sign-in/link', { token }, { origin })).status).toBe(403);
      expect((await links.ask(person.email, undefined, { origin })).status).toBe(403);
    }
    expect(links.mailsTo(person.email)).toHaveLength(1);
    expect((await links.use(token)).status).toBe(303);
  });

  it('redirects to no other site', async () => {
    const person = await newPerson(databaseUrl);
    await links.ask(person.email, '//evil.example');
    const { token, next } = await links.linkOf(person.email);
    expect(next).toBe('/account');
    expect(await links.use(token, links.browser(), 'https://evil.example')).toMatchObject({
      status: 303,
      to: '/account',
    });
  });

  it('is mailed in the language of the page', async () => {
    const person = await newPerson(databaseUrl);
    await links.ask(person.email, undefined, { 'accept-language': 'de' });
    await links.linkOf(person.email);
    expect(links.mailsTo(person.email)[0]!.text).toContain('Er gilt einmal und 15 Minuten lang.');
  });

  it('appears only in the mail', async () => {
    const { token, path } = await links.newLink(await newPerson(databaseUrl));
    await links.browser().get(path);
    for (const text of [await databaseContents(databaseUrl), product.logs()]) expect(text).not.toContain(token);
    expect(await databaseContents(databaseUrl)).toContain('sign-in-link:');
    const used = await links.use(token);
    expect(used.text + JSON.stringify([...used.headers])).not.toContain(token);
    expect(product.logs()).toContain('"status":303');
    expect(product.logs()).not.toContain(token);
  });
});

describe('a request for a sign-in link', () => {
  it('does not reveal whether the email has an account, and mails no one else', async () => {
    const person = await newPerson(databaseUrl);
    const answers = [
      await links.ask(person.email),
      await links.ask('unknown@example.com'),
      await links.ask('owner@localhost'),
    ];
    for (const { status, to, text } of answers) {
      expect({ status, to, text }).toEqual({ status: 303, to: SENT, text: answers[0]!.text });
    }
    await links.linkOf(person.email);
    // Emails are processed in order. When the next link arrives, the email to the unknown address would also have been sent.
    await links.newLink(await newPerson(databaseUrl));
    expect(links.mailsTo('unknown@example.com')).toEqual([]);
  });

  it('requires an email', async () => {
    const refused = await links.ask('no "email"');
    expect(refused).toMatchObject({ status: 400, text: expect.stringContaining('Enter an email address') });
    expect(refused.text).toContain('value="no &quot;email&quot;"');
  });

  it.each(['known', 'unknown'])('is rate-limited for one address: %s', async (kind) => {
    const { email } = kind === 'known' ? await newPerson(databaseUrl) : { email: 'unknown@example.com' };
    const statuses: number[] = [];
    for (let turn = 0; turn < 6; turn++) statuses.push((await links.ask(email)).status);
    expect(statuses).toEqual([303, 303, 303, 303, 303, 429]);
    expect((await links.ask('another@example.com')).status).toBe(303);
  });

  it('is rate-limited for one network', async () => {
    const statuses = await Promise.all(
      Array.from({ length: 22 }, async (_, turn) => (await links.ask(`unknown-${turn}@example.com`)).status),
    );
    expect(statuses.sort()).toEqual([...Array(20).fill(303), 429, 429]);
  });
});
