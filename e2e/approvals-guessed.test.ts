// Shapes: local
import { randomBytes } from 'node:crypto';
import { type Product, temporaryDatabase } from '@drawbridge/testkit';
import { apiOf } from './support/api.js';
import { approvalOf, newPolicy, waiting } from './support/approvals.js';
import { databaseProxy, type DatabaseProxy } from './support/database-proxy.js';
import { eventually } from './support/eventually.js';
import { NOBODY } from './support/expect.js';
import { githubWorkspace } from './support/github.js';
import { ownProduct } from './support/own-product.js';
import { webOf } from './support/web.js';

const GUESSES = 1_000;
const AT_ONCE = 50;
const LIMIT = 120;
const LOOKS_UP = /FROM approvals\.approval_requests\s+WHERE id = \$1/;

let behind: Awaited<ReturnType<typeof temporaryDatabase>>;
let database: DatabaseProxy;
let product: Product;

beforeAll(async () => {
  behind = await temporaryDatabase();
  database = await databaseProxy(behind.url);
  product = await ownProduct({ env: { DATABASE_URL: database.url, PUBLIC_RATE_LIMIT: String(LIMIT) } });
});
afterAll(async () => {
  await product?.stop();
  await database?.stop();
  await behind?.drop();
});

it('refuses 1,000 guessed tokens at one cost, whether there is such a request or not, and all but the first of a minute unread', async () => {
  const api = apiOf(product.baseUrl, product.key);
  const { workspaceId, createIssue } = await githubWorkspace(api);
  await newPolicy(api, { workspaceId });
  const { id, hostedApprovalUrl } = await eventually(() => waiting(api, createIssue));
  const { pathname, search, searchParams } = new URL(hostedApprovalUrl);
  expect((await webOf(product.baseUrl).get(pathname + search)).status).toBe(303);
  expect(database.count(LOOKS_UP)).toBe(1);
  const guess = (n: number) => {
    const token = `apr_link_${randomBytes(32).toString('base64url')}`;
    return webOf(product.baseUrl).get(`/approvals/${n % 2 ? id : `apr_${NOBODY}`}?token=${token}`);
  };
  const statuses: number[] = [];
  const texts = new Set<string>();
  for (let n = 0; n < GUESSES; n += AT_ONCE) {
    const answers = await Promise.all(Array.from({ length: AT_ONCE }, (_, more) => guess(n + more)));
    for (const { status, text, headers } of answers) {
      statuses.push(status);
      expect(headers.get('referrer-policy')).toBe('no-referrer');
      if (status === 404) texts.add(text);
    }
  }
  const read = statuses.filter((status) => status === 404).length;
  expect(statuses.filter((status) => status === 429)).toHaveLength(GUESSES - read);
  expect(read).toBeGreaterThan(0);
  // The test can span up to three one-minute windows.
  expect(read).toBeLessThanOrEqual(3 * LIMIT);
  expect(texts.size).toBe(1);
  expect(database.count(LOOKS_UP)).toBe(1);
  expect((await approvalOf(api, id)).status).toBe('pending');
  expect(product.logs()).not.toContain(searchParams.get('token'));
});
