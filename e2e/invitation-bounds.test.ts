// Shapes: none; in full: local
import { type Product } from '@drawbridge/testkit';
import { type Answer, type Api, apiOf } from './support/api.js';
import { rowsOf } from './support/database.js';
import { expectError } from './support/expect.js';
import { type MailServer, mailServer } from './support/mail-server.js';
import { newOrganization } from './support/organizations.js';
import { ownProduct } from './support/own-product.js';

const PATH = '/api/v1/members';

let mail: MailServer;
let product: Product;
let api: Api;

beforeAll(async () => {
  mail = await mailServer();
  const env = { SMTP_URL: `smtp://${mail.host}`, MAIL_FROM: 'a@acme.example', BASE_URL: 'https://acme.example' };
  product = await ownProduct({ env });
  api = apiOf(product.baseUrl, product.key);
});
afterAll(async () => {
  await product?.stop();
  await mail.stop();
});

/** Creates an invitation and deletes it, because a second pending invitation to the same email address would be refused. */
async function again(host: Api, email: string): Promise<Answer> {
  const answer = await host.post(`${PATH}/invite`, { email });
  if (answer.status === 200) await host.delete(`${PATH}/invitations/${answer.body.invitation.id}`);
  return answer;
}

it('mails to one address are limited, even if invitations are canceled or come from several organizations', async () => {
  const email = 'often@example.com';
  for (let turn = 0; turn < 5; turn++) expect((await again(api, email)).status).toBe(200);
  const refused = await again(api, email);
  expectError(refused, 429, 'RATE_LIMITED');
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
  expect((await again(api, 'seldom@example.com')).status).toBe(200);

  const statuses: number[] = [];
  for (let others = 0; others < 4; others++) {
    const { plainKey } = await newOrganization(product.databaseUrl);
    const other = apiOf(product.baseUrl, plainKey);
    for (let turn = 0; turn < 5; turn++) statuses.push((await again(other, email)).status);
  }
  expect(statuses).toEqual([...Array(15).fill(200), ...Array(5).fill(429)]);
});

it('mails of one organization are limited to 500 a day', async () => {
  const { plainKey, organization } = await newOrganization(product.databaseUrl);
  const busy = apiOf(product.baseUrl, plainKey);
  const sql = `INSERT INTO members.invitations (id, org_id, email, role, status)
    SELECT gen_random_uuid(), $1, n || '@busy.example', 'member', 'canceled' FROM generate_series(1, 500) n`;
  await rowsOf(product.databaseUrl, sql, [organization.id]);
  expectError(await again(busy, 'one-more@example.com'), 429, 'RATE_LIMITED');
  const later = "UPDATE members.invitations SET created_at = now() - interval '1 day' WHERE org_id = $1";
  await rowsOf(product.databaseUrl, later, [organization.id]);
  expect((await again(busy, 'one-more@example.com')).status).toBe(200);
});
