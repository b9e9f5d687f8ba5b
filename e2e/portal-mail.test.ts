// Shapes: none; in full: local
import { type Product } from '@drawbridge/testkit';
import { hashToken } from '@drawbridge/contracts';
import { type Answer, type Api, apiOf } from './support/api.js';
import { rowsOf } from './support/database.js';
import { drawbridge } from './support/drawbridge.js';
import { eventually } from './support/eventually.js';
import { expectError, expectInvalid, UNKNOWN_ID } from './support/expect.js';
import { type MailServer, mailServer, type Received } from './support/mail-server.js';
import { ownProduct } from './support/own-product.js';
import { fresh } from './support/owned-resources.js';
import { databaseContents } from './support/stored-contents.js';
import { newWorkspace } from './support/workspace-integrations.js';

const PATH = '/api/v1/end-users';
const BASE_URL = 'https://drawbridge.example/in/a/folder';
/** The second attempt starts 5 s after a failed attempt, which can take 15 s. */
const RETRIED_MS = 40_000;

let mail: MailServer;
let product: Product;
let api: Api;
let id: string;

beforeAll(async () => {
  mail = await mailServer();
  const env = { SMTP_URL: `smtp://ann:secret@${mail.host}`, MAIL_FROM: 'no-reply@acme.example', BASE_URL };
  product = await ownProduct({ env: { ...env, LOG_LEVEL: 'trace' } });
  api = apiOf(product.baseUrl, product.key);
  id = await person(api);
});
afterEach(() => mail.behave('takes'));
afterAll(async () => {
  await product?.stop();
  await mail.stop();
});

async function person(by: Api): Promise<string> {
  return (await by.post(PATH, { workspaceId: await newWorkspace(by), externalId: fresh() })).body.endUser.id;
}

const invite = (body: object, headers = {}): Promise<Answer> => api.post(`${PATH}/${id}/invite`, body, headers);

/** Returns the expiry time of a link. */
const kept = (token: string): Promise<object[]> =>
  rowsOf(product.databaseUrl, 'SELECT expires_at FROM connections.portal_tokens WHERE token_hashes @> ARRAY[$1]', [
    hashToken(token),
  ]);

describe('the mail of an invitation', () => {
  const sentTo = (email: string): Received[] => mail.received.filter(({ to }) => to.includes(email));
  const arrived = (email: string): Promise<Received> =>
    eventually(async () => {
      expect(sentTo(email)).not.toEqual([]);
      return sentTo(email).at(-1)!;
    }, RETRIED_MS);
  const tokenIn = ({ text }: Received): string =>
    /https:\/\/drawbridge\.example\/in\/a\/folder\/connect\/portal\?token=(eut_\w{46})/.exec(text)![1]!;

  it('contains a separate link with the same expiry as the returned one', async () => {
    const email = `${fresh()}@example.com`;
    const { body } = await invite({ email: email.toUpperCase(), expiresIn: 7_200 });
    const token = tokenIn(await arrived(email));
    expect(token).not.toBe(body.token);
    expect(await kept(token)).toEqual(await kept(body.token));
    for (const text of [await databaseContents(product.databaseUrl), product.logs()]) expect(text).not.toContain(token);
  });

  it('is in German for a German browser', async () => {
    const email = `${fresh()}@example.com`;
    await invite({ email }, { 'accept-language': 'de' });
    expect((await arrived(email)).text).toContain('Ihre Verbindungen: ');
  });

  it(
    'is retried in the background where the server is unreachable',
    async () => {
      mail.behave('refuses');
      const [email, before] = [`${fresh()}@example.com`, mail.attempts()];
      expect((await invite({ email })).body.emailSent).toBe(true);
      await eventually(async () => expect(mail.attempts()).toBeGreaterThan(before), RETRIED_MS);
      expect(sentTo(email)).toEqual([]);
      mail.behave('takes');
      expect(await kept(tokenIn(await arrived(email)))).toHaveLength(1);
    },
    2 * RETRIED_MS,
  );

  it('requires a valid email and is limited to five a day', async () => {
    for (const email of ['', 'ada', 'a\r\nb@example.com']) expectInvalid(await invite({ email }), 'email');
    const email = `${fresh()}@example.com`;
    for (let n = 0; n < 5; n++) expect((await invite({ email })).status).toBe(200);
    expectError(await invite({ email }), 429, 'RATE_LIMITED');
  });

  it('is limited to five also for concurrent requests', async () => {
    const email = `${fresh()}@example.com`;
    const answers = await Promise.all(Array.from({ length: 20 }, () => invite({ email })));
    expect(answers.map(({ status }) => status).sort()).toEqual([...Array(5).fill(200), ...Array(15).fill(429)]);
  });

  it('is refused without a mail server, and no link is created', async () => {
    const elsewhere = await drawbridge();
    const one = await person(elsewhere.api);
    expectError(
      await elsewhere.api.post(`${PATH}/${one}/invite`, { email: 'ada@acme.example' }),
      400,
      'EMAIL_NOT_CONFIGURED',
    );
    expectError(
      await elsewhere.api.post(`${PATH}/${UNKNOWN_ID}/invite`, { email: 'ada@acme.example' }),
      404,
      'NOT_FOUND',
    );
    const links = 'SELECT id FROM connections.portal_tokens WHERE end_user_id = $1';
    expect(await rowsOf(elsewhere.databaseUrl, links, [one])).toEqual([]);
  });
});
