// Shapes: local
import { canary, findCanaries } from './support/canaries.js';
import { connectProduct, type ConnectProduct, visit } from './support/connect.js';
import { expectInvalid } from './support/expect.js';
import { databaseContents } from './support/stored-contents.js';
import { webOf } from './support/web.js';

let its: ConnectProduct;

beforeAll(async () => (its = await connectProduct()));
afterAll(() => its?.stop());

const KEYS = 'test-keys';

describe('the page of a session', () => {
  it('takes the token out of the address, and tells nobody where it was', async () => {
    const opened = await its.open(KEYS);
    const web = webOf(its.product.baseUrl);
    const first = await web.get(`/connect?token=${opened.token}`);
    expect(first.headers.get('referrer-policy')).toBe('no-referrer');
    expect(first.headers.get('cache-control')).toBe('no-store');
    expect(first.headers.getSetCookie()).toEqual([
      expect.stringMatching(
        new RegExp(`^connect-${opened.sessionId}=cst_[^;]+; Max-Age=14400; Path=/; .*HttpOnly; SameSite=Lax`),
      ),
    ]);
    const page = await web.get(`/connect/${opened.sessionId}`);
    expect(page.text).not.toContain(opened.token);
    expect(page.headers.get('cache-control')).toBe('no-store');
    expect(page.headers.get('referrer-policy')).toBe('same-origin');
    expect(page.headers.get('content-security-policy')).toContain("script-src 'none'");
    expect(its.product.logs()).not.toContain(opened.token);
  });

  it('is none for what it could not ask for', async () => {
    const facts = {
      integrationName: 'test-unasked',
      connectionName: 'U',
      externalId: 'u',
      workspaceId: its.workspaceId,
    };
    expectInvalid(await its.api.post('/api/v1/connect/token', facts), 'integrationName');
  });

  it('keeps 20 visits at most', async () => {
    const web = webOf(its.product.baseUrl);
    for (let made = 0; made < 23; made++) await visit(its.product.baseUrl, await its.open(KEYS), web);
    expect([...web.cookies.keys()].filter((name) => name.startsWith('connect-'))).toHaveLength(20);
  });

  it('stores nothing in clear of what was typed', async () => {
    const opened = await its.open(KEYS);
    const web = await visit(its.product.baseUrl, opened);
    const typed = canary();
    await web.post(`/connect/${opened.sessionId}`, { type: 'SECRET_TEXT', 'field.secretText': typed.text });
    expect((await its.session(opened.sessionId)).status).toBe('COMPLETED');
    const stored = (await databaseContents(its.product.databaseUrl)) + its.product.logs();
    expect(findCanaries(stored, { typed })).toEqual([]);
  });
});
