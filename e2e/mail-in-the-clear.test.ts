// Shapes: none; in full: local
import { type Product } from '@drawbridge/testkit';
import { apiOf } from './support/api.js';
import { rowsOf } from './support/database.js';
import { eventually } from './support/eventually.js';
import { type MailServer, mailServer } from './support/mail-server.js';
import { ownProduct } from './support/own-product.js';

const EMAIL = 'ann@example.com';

let mail: MailServer;
let product: Product | undefined;

beforeAll(async () => {
  mail = await mailServer();
});
afterEach(() => product?.stop());
afterAll(() => mail.stop());

/** Sends an invitation with a mail server without TLS at an address that the product does not recognize as local. Returns the database URL. */
async function invite(query: string): Promise<string> {
  const port = mail.host.split(':')[1];
  const SMTP_URL = `smtp://[::ffff:127.0.0.1]:${port}${query}`;
  const started = await ownProduct({
    env: { SMTP_URL, MAIL_FROM: 'no-reply@acme.example', BASE_URL: 'http://acme.example' },
  });
  product = started;
  const { status } = await apiOf(started.baseUrl, started.key).post('/api/v1/members/invite', { email: EMAIL });
  expect(status).toBe(200);
  return started.databaseUrl;
}

it('a mail is not sent without TLS', async () => {
  const databaseUrl = await invite('');
  await eventually(async () => {
    const [job] = await rowsOf<{ error: string }>(databaseUrl, 'SELECT error FROM members_queue.jobs');
    expect(job?.error).toContain('ETLS');
  }, 20_000);
  expect(mail.received).toEqual([]);
});

it('a mail is sent without TLS where requireTLS is false', async () => {
  await invite('?requireTLS=false');
  await eventually(async () => expect(mail.received).toMatchObject([{ to: [EMAIL] }]), 20_000);
});
