// Shapes: none; in full: local
import { randomBytes } from 'node:crypto';
import { type FakeProvider, type Product, temporaryDatabase } from '@drawbridge/testkit';
import { type Api, apiOf } from './support/api.js';
import { approvalOf, decide, eventsOf, letPass, newKey, newPolicy, waiting } from './support/approvals.js';
import { databaseProxy, type DatabaseProxy } from './support/database-proxy.js';
import { rowsOf } from './support/database.js';
import { type Drawbridge, drawbridge } from './support/drawbridge.js';
import { eventually } from './support/eventually.js';
import { UNKNOWN_ID } from './support/expect.js';
import { githubWorkspace, type GithubWorkspace } from './support/github.js';
import { type Linked, newLink, openLink } from './support/hosted-links.js';
import { ownProduct } from './support/own-product.js';
import { provider } from './support/provider.js';
import { databaseContents } from './support/stored-contents.js';
import { type Shown, type Web, webOf } from './support/web.js';

let product: Drawbridge;
let api: Api;
let github: FakeProvider;
let own: GithubWorkspace;

beforeAll(async () => {
  product = await drawbridge();
  ({ api } = product);
  github = await provider();
  own = await githubWorkspace(api);
  await api.patch('/api/v1/organization', { name: 'Northwind <Traders>', color: '#0f766e' });
  await newPolicy(api, { workspaceId: own.workspaceId, actionNames: ['create_issue'] });
  const dashboardOnly = { actionNames: ['comment'], approvalAccessMode: 'dashboard_only' };
  await newPolicy(api, { workspaceId: own.workspaceId, ...dashboardOnly });
  await waiting(api, own.createIssue);
});
afterEach(() => github.reset());
afterAll(() => github.stop());

const call = (changes: object = {}): object => ({ ...own.createIssue, idempotencyKey: newKey(), ...changes });

const linked = (asked = call()): Promise<Linked> => newLink(api, asked);
const entered = (link: Linked): Promise<Web> => openLink(product.baseUrl, link);

function expectOver({ status, text }: Shown): void {
  expect(status).toBe(404);
  expect(text).toContain('This link does not work');
}

describe('a hosted link', () => {
  it('redirects to its page without its token, and no URL, page, table or log contains the token', async () => {
    const link = await linked();
    const web = webOf(product.baseUrl);
    const { status, to, headers, text } = await web.get(link.path);
    expect({ status, to }).toEqual({ status: 303, to: link.home });
    expect(headers.get('referrer-policy')).toBe('no-referrer');
    expect(headers.get('cache-control')).toBe('no-store');
    const cookie = `^approval-${link.id}=${link.token}; .*Path=/; .*HttpOnly; SameSite=Lax$`;
    expect(headers.get('set-cookie')).toMatch(new RegExp(cookie));
    const page = await web.get(link.home);
    expect(page.status).toBe(200);
    expect(page.headers.get('cache-control')).toBe('no-store');
    expect((await web.post(`${link.home}/approve`)).to).toBe(link.home);
    await eventually(async () => expect(product.logs()).toContain(page.headers.get('x-request-id')));
    for (const kept of [text, page.text, product.logs(), await databaseContents(product.databaseUrl)])
      expect(kept).not.toContain(link.token.slice(9));
  });

  it('shows the action, its account and the reason of the request, in the language of the reader', async () => {
    const input = { repo: 'acme/app', title: '<b>A</b>\u202E', labels: ['a', 'b'] };
    const link = await linked(call({ input, endUserId: 'ann@customer.example' }));
    const { text, headers } = await (await entered(link)).get(link.home);
    const said = ['Create issue in GitHub', 'Northwind &lt;Traders>', 'GitHub (gh)', 'ann@customer.example'];
    const { riskReasons } = await approvalOf(api, link.id);
    for (const one of [
      ...said,
      ...riskReasons,
      'an application, over the REST API',
      'acme/app',
      '&lt;b>A&lt;/b>⟨U+202E⟩',
    ])
      expect(text).toContain(one);
    expect(headers.get('refresh')).toBe('30');
    const german = await (await entered(link)).get(link.home, { 'accept-language': 'de' });
    expect(german.text).toContain('Wartet auf eine Entscheidung');
    expect(text).not.toContain('<script');
  });

  it('decides nothing when it is opened, whatever client opens it', async () => {
    const link = await linked();
    const web = await entered(link);
    for (const path of ['', '/approve', '/reject', '?still'])
      expect((await web.get(link.home + path)).status).toBe(200);
    await web.send('HEAD', link.path);
    expect((await approvalOf(api, link.id)).status).toBe('pending');
  });

  it('approves once: with its reason, in the record, the events and the audit log; then the exact retry runs', async () => {
    github.on('*', { status: 201, body: { number: 7 } });
    const asked = call();
    const link = await linked(asked);
    const web = await entered(link);
    expect((await web.post(`${link.home}/approve`, { reason: ' I agree\r\nto it ' })).to).toBe(link.home);
    const reason = 'I agree\nto it';
    const decidedBy = { type: 'hosted_link', id: null };
    expect(await approvalOf(api, link.id)).toMatchObject({ status: 'approved', decidedBy, decisionReason: reason });
    expect(await eventsOf(product.databaseUrl, link.id)).toEqual(['approval.requested', 'approval.approved']);
    await eventually(async () => {
      const { entries } = (await api.get(`/api/v1/audit-log?resourceId=${link.id.slice(4)}`)).body;
      const told = { action: 'approval.approve', outcome: 'allowed', reason: `by its hosted link: ${reason}` };
      expect(entries).toMatchObject([{ ...told, actor: { type: 'system' } }]);
    });
    expect((await api.post('/api/v1/actions/execute', asked)).status).toBe(200);
    expect((await web.get(link.home)).text).toContain('Approved and executed');
  });

  it('is refused a second time, and shows only the decision and its user', async () => {
    const link = await linked();
    const [first, second] = [await entered(link), await entered(link)];
    expect((await first.post(`${link.home}/reject`, { reason: 'Not today' })).to).toBe(link.home);
    const late = await second.post(`${link.home}/approve`);
    expect(late.status).toBe(409);
    const shown = await first.get(link.home);
    for (const { text } of [late, shown]) {
      for (const said of ['Rejected', 'Decided with the link to this page', 'Not today']) expect(text).toContain(said);
      expect(text).not.toContain('acme/app');
    }
    expect(late.text).toContain('A decision was already made. Nothing has changed.');
    expect(shown.headers.get('refresh')).toBeNull();
    expect((await approvalOf(api, link.id)).status).toBe('rejected');
  });

  it('is decided once by 20 at a time', async () => {
    const link = await linked();
    const webs = await Promise.all(Array.from({ length: 20 }, () => entered(link)));
    const answers = await Promise.all(
      webs.map((web, n) => web.post(`${link.home}/${n % 2 ? 'approve' : 'reject'}`, { reason: `${n}` })),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([303, ...Array<number>(19).fill(409)]);
    const won = answers.findIndex(({ status }) => status === 303);
    const status = won % 2 ? 'approved' : 'rejected';
    expect(await approvalOf(api, link.id)).toMatchObject({ status, decisionReason: `${won}` });
  });

  it.each([
    ['canceled', (id: string) => decide(api, id, 'cancel'), 'Canceled'],
    ['expired', (id: string) => letPass(product.databaseUrl, id, 3_601), 'Expired'],
  ])('shows that the request was %s, and decides nothing', async (status, end, said) => {
    const link = await linked();
    const web = await entered(link);
    await end(link.id);
    expect((await web.get(link.home)).text).toContain(said);
    expect((await web.post(`${link.home}/approve`)).status).toBe(409);
    expect((await approvalOf(api, link.id)).status).toBe(status);
  });

  it('decides nothing for a form of another site, nor with a reason that is too long', async () => {
    const link = await linked();
    const web = await entered(link);
    for (const origin of ['https://evil.example', 'null'])
      expect((await web.post(`${link.home}/approve`, {}, { origin })).status).toBe(403);
    const long = await web.post(`${link.home}/approve`, { reason: 'x'.repeat(1_001) });
    expect(long.status).toBe(400);
    expect(long.text).toContain('Use 1,000 characters at most.');
    expect((await web.post(`${link.home}/reject`, { reason: '🙂'.repeat(1_000) })).to).toBe(link.home);
  });

  it('shows no request if the token is unknown, of another request, missing or expired', async () => {
    const [link, other] = [await linked(), await linked()];
    const web = webOf(product.baseUrl);
    const cookie = `approval-${link.id}=${other.token}`;
    for (const id of [link.id, link.id.toUpperCase().replace('APR', 'apr'), `apr_${UNKNOWN_ID}`])
      for (const token of ['', 'apr_link_', other.token, `${link.token}x`, `${link.token}&token=${link.token}`])
        expectOver(await web.get(`/approvals/${id}?token=${token}`));
    expect(web.cookies.size).toBe(0);
    for (const path of ['', '/approve']) expectOver(await web.get(link.home + path, { cookie }));
    expectOver(await web.post(`${link.home}/approve`, {}, { cookie }));
    expect((await web.get(link.home)).to).toBe(`/sign-in?next=${link.home}`);
    const entry = await entered(link);
    await rowsOf(product.databaseUrl, 'DELETE FROM approvals.approval_requests WHERE id = $1', [link.id.slice(4)]);
    expectOver(await entry.get(link.home));
    expect(entry.cookies.size).toBe(0);
  });

  it('does not exist for a policy that allows only the dashboard', async () => {
    const input = { repo: 'acme/app', issue_number: 1, body: 'x' };
    const { id, hostedApprovalUrl } = await waiting(api, call({ actionName: 'comment', input }));
    expect(hostedApprovalUrl).toBeNull();
    const link = await linked();
    const moved = `UPDATE approvals.approval_requests SET approval_access_mode = 'dashboard_only' WHERE id = $1`;
    await rowsOf(product.databaseUrl, moved, [link.id.slice(4)]);
    expectOver(await webOf(product.baseUrl).get(link.path));
    expectOver(await webOf(product.baseUrl).get(`/approvals/${id}?token=${link.token}`));
  });
});

describe('guessed tokens', () => {
  const GUESSES = 1_000;
  const AT_ONCE = 50;
  const LIMIT = 120;
  const LOOKS_UP = /FROM approvals\.approval_requests\s+WHERE id = \$1/;

  let behind: Awaited<ReturnType<typeof temporaryDatabase>>;
  let database: DatabaseProxy;
  let guarded: Product;

  beforeAll(async () => {
    behind = await temporaryDatabase();
    database = await databaseProxy(behind.url);
    guarded = await ownProduct({ env: { DATABASE_URL: database.url, PUBLIC_RATE_LIMIT: String(LIMIT) } });
  });
  afterAll(async () => {
    await guarded?.stop();
    await database?.stop();
    await behind?.drop();
  });

  it('refuses 1,000 guessed tokens at one cost, whether there is such a request or not, and all but the first of a minute unread', async () => {
    const its = apiOf(guarded.baseUrl, guarded.key);
    const { workspaceId, createIssue } = await githubWorkspace(its);
    await newPolicy(its, { workspaceId });
    const { id, hostedApprovalUrl } = await waiting(its, createIssue);
    const { pathname, search, searchParams } = new URL(hostedApprovalUrl);
    expect((await webOf(guarded.baseUrl).get(pathname + search)).status).toBe(303);
    expect(database.count(LOOKS_UP)).toBe(1);
    const guess = (n: number) => {
      const token = `apr_link_${randomBytes(32).toString('base64url')}`;
      return webOf(guarded.baseUrl).get(`/approvals/${n % 2 ? id : `apr_${UNKNOWN_ID}`}?token=${token}`);
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
    expect((await approvalOf(its, id)).status).toBe('pending');
    expect(guarded.logs()).not.toContain(searchParams.get('token'));
  });
});
